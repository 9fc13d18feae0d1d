"""The command line `scmanip`. Only its entry point is imported at once: `scmanip --help` must not wait for the dynamics."""


def command_line() -> None:
    """Run the command line and exit: 0 done, 1 a limit or check failed, 2 bad input, 3 numerical failure, 130 interrupted."""
    from ._application import application

    application()

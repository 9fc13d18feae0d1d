"""The entry point of the command `scmanip`."""

from __future__ import annotations


def command_line() -> None:
    """Run the command line and exit: 0 done, 1 a limit or check failed, 2 bad input, 3 numerical failure, 130 interrupted."""
    from ._application import application

    application()

"""The command line `scmanip`. Only its entry point is imported at once: `scmanip --help` must not wait for the dynamics."""

import atexit
import gc
import os

_COLLECTED = 500_000  # objects made between two looks for those that nobody needs; Python's 700 cost a fifth of a short command


def command_line() -> None:
    """Run the command line and exit: 0 done, 1 a limit or check failed, 2 bad input, 3 numerical failure, 130 interrupted.

    >>> from unittest.mock import patch
    >>> with patch("sys.argv", ["scmanip", "--version"]):  # as a shell gives them
    ...     try:
    ...         command_line()
    ...     except SystemExit as ended:
    ...         print(ended.code)
    scmanip ...
    0
    """
    gc.set_threshold(_COLLECTED)
    atexit.register(gc.freeze)  # or Python looks through all there is once more before it ends, for a quarter of a second
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # which it would look for in every installed package
    from ._application import application

    application()

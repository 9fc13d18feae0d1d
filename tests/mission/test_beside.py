import subprocess
import sys
from pathlib import Path

import pytest

import scmanip.mission

SCRIPT = """
import os, runpy, sys, threading
beside = runpy.run_path(sys.argv[1])["beside"]
here = os.getpid()
def failing():
    if os.getpid() != here:
        raise RuntimeError
    return b"here"
works = {"one": lambda: str(os.getpid()).encode(), "large": lambda: b"x" * 10**6, "failing": failing}
made = beside(works)()
assert list(made) == ["one", "large", "failing"] and made["large"] == works["large"]() and made["failing"] == b"here"
def ready():
    os.loaded = os.getpid()
copied = beside({name: lambda: str(os.loaded).encode() for name in ("one", "two", "three")}, ready)
if hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1:
    assert len(set(copied().values()) - {str(here).encode()}) == 1 and not hasattr(os, "loaded")  # made ready once, in a copy
stop = threading.Event()
threading.Thread(target=stop.wait).start()
assert beside(works)()["one"] == str(here).encode()  # a process with threads is not copied
stop.set()
"""


def test_what_copies_of_the_process_cannot_do_is_done_by_itself() -> None:
    file = Path(scmanip.mission.__file__).with_name("_beside.py")
    said = subprocess.run([sys.executable, "-c", SCRIPT, str(file)], capture_output=True, text=True, check=True)
    assert said.stderr == ""


def test_errors_of_works_are_raised_where_they_are_waited_for() -> None:
    from scmanip.mission._beside import beside

    with pytest.raises(ZeroDivisionError):
        beside({"one": lambda: bytes(1 // 0)})()

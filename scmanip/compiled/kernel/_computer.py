"""What decides the last bits of a result: releases and the processor."""

from __future__ import annotations

import platform
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from ._host import host

_NUMERICAL = ("numpy", "scipy", "llvmlite")


def releases(*packages: str) -> dict[str, str]:
    """Return the releases that results depend on, and those of further packages, by name.

    >>> sorted(releases())[:3], releases()["scmanip"] == scmanip.__version__
    (['llvmlite', 'numpy', 'python'], True)
    """
    ours = {"scmanip": import_module("scmanip").__version__, "python": platform.python_version()}
    return ours | {name: _release(name) for name in (*_NUMERICAL, *packages)}


def processor() -> str:
    """Return for which processor code is made here, its many abilities as a digest; equal words, equal code.

    >>> processor().count(",") >= 3, processor() == processor()
    (True, True)
    """
    here = host()
    return f"{here.cpu}, {here.triple}, {here.lanes} lanes, features {sha256(here.features.encode()).hexdigest()[:16]}"


def _release(package: str) -> str:
    """Return the version of an installed package; "not installed" where it only lies on the path."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"

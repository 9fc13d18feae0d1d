"""Which release of a package is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def release(package: str) -> str:
    """Return the version of an installed package; "not installed" where it only lies on the path."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"

"""The server without which viser makes no page: heard by this machine alone, on a free port, and gone again at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich import get_console

from ...errors import MissingExtra

if TYPE_CHECKING:
    from viser import ViserServer


@contextmanager
def quiet_server() -> Iterator[ViserServer]:
    """Give a server on loopback that says nothing and is stopped afterwards; raises `MissingExtra` without viser."""
    try:
        from viser import ViserServer
    except ImportError as error:
        raise MissingExtra("a picture that can be turned and played", "view") from error
    with _silence():
        server = ViserServer(host="127.0.0.1", port=0, verbose=False)
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def _silence() -> Iterator[None]:
    """Let rich, by which viser tells of its server in terminals and in cells of notebooks, say nothing."""
    console = get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before

"""The server without which viser makes no page: heard by this machine alone, on a free port, and gone again at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

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
    with redirect_stdout(StringIO()):
        server = ViserServer(host="127.0.0.1", port=0, verbose=False)
        try:
            yield server
        finally:
            server.stop()

"""Who may open a page: only who knows its token, and only from the page itself; viser asks neither."""

from __future__ import annotations

import asyncio
import hmac
import http
import secrets
import socket
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ...errors import InvalidInput, MissingExtra, Problem, checked, refuse
from ...spatial import positive_problems

LOOPBACK = "127.0.0.1"
TOKEN = "token"


@checked
@dataclass(frozen=True)
class Guard:
    """What a page asks of whoever connects.

    A request has to name the page's own host, so that no other name leads to it, and the token, in its address or in the cookie
    that the first answer sets; a connection has to come from the page's own origin as well. Messages beyond a size end it, and
    so do more of them than a rate.

    host : to which the page is bound; another than loopback only where `exposed`
    exposed : whether others than this machine may reach it, about which it warns
    token : of this run
    most_bytes, most_per_s, burst : of each message; messages a second on the long run, and how many at once, a bare number

    Raises `InvalidInput` for a host that others reach where that is not `exposed`, no token, and bounds that are not > 0.

    >>> guard = Guard(token="secret")
    >>> guard.address(8080)
    'http://127.0.0.1:8080/?token=secret'
    >>> guard.refusal(8080, "/?token=wrong", {"Host": "127.0.0.1:8080"}, upgrades=False)
    'the token is missing or wrong'
    """

    host: str = LOOPBACK
    exposed: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    most_bytes: int = 65_536
    most_per_s: float = 200.0
    burst: float = 600.0

    def __post_init__(self) -> None:
        refuse(
            [
                None if self.token else Problem("token", "a text that nobody guesses", "nothing"),
                *positive_problems("most_bytes", self.most_bytes),
                *positive_problems("most_per_s", self.most_per_s),
                *positive_problems("burst", self.burst),
            ]
        )
        if self.is_loopback:
            return
        if not self.exposed:
            hint = "--expose says that others may"
            raise InvalidInput(Problem("host", "127.0.0.1, which no other machine reaches", repr(self.host), hint=hint))
        warnings.warn(
            f"the page is bound to {self.host}: other machines can reach it, unencrypted, and whoever has its address with "
            "the token can pull at the system",
            stacklevel=3,
        )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def address(self, port: int) -> str:
        """Return where the page is, token and all."""
        return f"http://{self._named(port)}/?{TOKEN}={self.token}"

    def expect_here(self, port: int) -> None:
        """Raise `InvalidInput` for a host or port that nothing can be bound to, at which viser would wait for ever."""
        refuse([] if 0 <= port <= 65_535 else [Problem("port", "a number from 0 to 65535", str(port))])
        try:
            family = socket.getaddrinfo(self.host, 0, type=socket.SOCK_STREAM)[0][0]
            socket.create_server((self.host, 0), family=family).close()
        except OSError as error:
            raise InvalidInput(Problem("host", "an address of this machine", f"{self.host!r}: {error.strerror}")) from None

    def _named(self, port: int) -> str:
        return f"[{self.host}]:{port}" if ":" in self.host else f"{self.host}:{port}"

    def refusal(self, port: int, path: str, headers: Any, *, upgrades: bool) -> str:
        """Return why a request is refused; "" where it is not. headers : of the request, by `get`."""
        if headers.get("Host") != self._named(port) and self.is_loopback:
            return "another host is named"
        if not self._knows(path, headers.get("Cookie") or "", port):
            return "the token is missing or wrong"
        if upgrades and headers.get("Origin") != f"http://{headers.get('Host')}":
            return "it comes from another page"
        return ""

    def _knows(self, path: str, cookie: str, port: int) -> bool:
        said = parse_qs(urlsplit(path).query).get(TOKEN, [])
        try:
            kept = SimpleCookie(cookie).get(cookie_name(port))
        except CookieError:
            kept = None
        return any(hmac.compare_digest(each.encode(), self.token.encode()) for each in [*said, *([kept.value] if kept else [])])


def cookie_name(port: int) -> str:
    """Return that of the page on a port: browsers give all ports of a host one jar."""
    return f"scmanip_live_{port}"


@contextmanager
def guarded(guard: Guard) -> Iterator[None]:
    """Let a server of websockets that is started in here, as viser's is, ask what the guard asks.

    Raises `MissingExtra` without websockets.

    >>> with guarded(Guard()):
    ...     pass  # whatever serves websockets here asks for the token
    """
    try:
        from websockets.asyncio import server
    except ImportError as error:
        raise MissingExtra("a live page", "live") from error
    plain = server.serve
    server.serve = _serve(guard, plain)
    try:
        yield
    finally:
        server.serve = plain


def _serve(guard: Guard, plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return what is called in the place of `websockets.asyncio.server.serve`."""
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Response

    class Limited(ServerConnection):  # type: ignore[misc]  # without websockets it is not known
        """A connection that ends where messages come faster than allowed."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._left, self._heard = guard.burst, monotonic()

        async def recv(self, *given: Any, **named: Any) -> Any:
            message = await super().recv(*given, **named)
            now = monotonic()
            self._left = min(guard.burst, self._left + (now - self._heard) * guard.most_per_s) - 1.0
            self._heard = now
            if self._left < 0:
                self._closing = asyncio.ensure_future(self.close(1008, "too many messages"))
                while True:  # what is still sent is dropped, until that it is closed is raised
                    await super().recv(*given, **named)
            return message

    def serve(handler: Any, host: str, port: int, **named: Any) -> Any:
        inner = named.pop("process_request", None)

        def process(connection: Any, request: Any) -> Any:
            bound = connection.local_address[1]
            upgrades = (request.headers.get("Upgrade") or "").lower() == "websocket"
            why = guard.refusal(bound, request.path, request.headers, upgrades=upgrades)
            if why:
                return connection.respond(http.HTTPStatus.FORBIDDEN, f"refused: {why}\n")
            answer = inner(connection, request) if inner is not None else None
            if isinstance(answer, Response):
                cookie = f"{cookie_name(bound)}={guard.token}; Path=/; HttpOnly; SameSite=Strict"
                kept = {"Set-Cookie": cookie, "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}
                for name, value in kept.items():
                    answer.headers[name] = value
            return answer

        given = {**named, "max_size": guard.most_bytes, "process_request": process, "create_connection": Limited}
        return plain(handler, host, port, **given)

    return serve

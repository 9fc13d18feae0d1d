"""Who may open a page, asked of a server of viser itself."""

import http.client
import socket

import pytest

from scmanip.errors import InvalidInput
from scmanip.live import Guard, guarded

viser = pytest.importorskip("viser")
sync = pytest.importorskip("websockets.sync.client")
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402


@pytest.fixture(scope="module")
def page():
    guard = Guard(most_bytes=2000, most_per_s=50.0, burst=80.0)
    with guarded(guard):
        server = viser.ViserServer(host=guard.host, port=0, verbose=False)
    yield guard, server.get_port()
    server.stop()


def asked(port, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def connected(guard, port, *, origin=None, token=None, host=None):
    path = f"ws://127.0.0.1:{port}/?token={guard.token if token is None else token}"
    own = f"http://127.0.0.1:{port}" if origin is None else origin
    headers = {} if host is None else {"Host": host}
    protocol = [f"viser-v{viser.__version__}"]
    return sync.connect(path, origin=own, subprotocols=protocol, compression=None, additional_headers=headers, open_timeout=5)


def test_who_has_the_token_gets_the_page_and_a_cookie_that_no_script_reads(page):
    guard, port = page
    answer, body = asked(port, f"/?token={guard.token}")
    assert answer.status == 200 and b"<html" in body
    cookie = answer.getheader("Set-Cookie")
    assert guard.token in cookie and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    again, _ = asked(port, "/", Cookie=cookie.split(";")[0])
    assert again.status == 200


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/?other=1"])
def test_a_missing_token_is_refused(page, path):
    guard, port = page
    answer, body = asked(port, path)
    assert answer.status == 403 and b"token is missing or wrong" in body
    assert guard.token.encode() not in body and guard.token not in repr(guard)
    with pytest.raises(InvalidStatus, match="403"):
        connected(guard, port, token="wrong")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_foreign_origin_is_refused(page, origin):
    guard, port = page
    with pytest.raises(InvalidStatus, match="403"):
        connected(guard, port, origin=origin)


def test_another_name_of_this_machine_is_refused(page):
    guard, port = page
    answer, body = asked(port, f"/?token={guard.token}", Host=f"evil.example:{port}")
    assert answer.status == 403 and b"another host" in body


def test_who_comes_from_the_page_is_let_in(page):
    guard, port = page
    with connected(guard, port) as connection:
        assert connection.recv(timeout=5)


def test_an_oversized_message_ends_the_connection(page):
    guard, port = page
    with connected(guard, port) as connection:
        connection.send(b"x" * 2001)
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(100):
                connection.recv(timeout=5)
    assert closed.value.rcvd.code == 1009


def test_too_many_messages_end_the_connection(page):
    msgspec = pytest.importorskip("msgspec")
    guard, port = page
    message = msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": "none", "updates": {}})
    with connected(guard, port) as connection, pytest.raises(ConnectionClosed) as closed:
        for _ in range(300):
            connection.send(message)
        for _ in range(1000):
            connection.recv(timeout=5)
    assert closed.value.rcvd.code == 1008


def test_other_machines_reach_it_only_where_that_is_said():
    with pytest.raises(InvalidInput, match=r"127\.0\.0\.1, which no other machine reaches"):
        Guard(host="0.0.0.0")
    with pytest.warns(UserWarning, match="other machines can reach it"):
        assert not Guard(host="0.0.0.0", exposed=True).is_loopback


def test_the_page_is_not_on_other_addresses_of_this_machine(page):
    _, port = page
    with socket.socket() as probe:
        probe.settimeout(2)
        try:
            own = socket.gethostbyname(socket.gethostname())
        except OSError:
            pytest.skip("this machine has no name")
        if own.startswith("127."):
            pytest.skip("this machine has no other address")
        assert probe.connect_ex((own, port)) != 0


def test_an_address_with_colons_is_written_as_browsers_do():
    guard = Guard(host="::1", token="secret")
    assert guard.is_loopback and guard.address(80) == "http://[::1]:80/?token=secret"
    assert guard.refusal(80, "/?token=secret", {"Host": "[::1]:80"}, upgrades=False) == ""


@pytest.mark.parametrize("given", [{"token": ""}, {"most_bytes": 0}, {"most_per_s": float("nan")}, {"burst": -1.0}])
def test_a_guard_without_a_token_or_bounds_is_none(given):
    with pytest.raises(InvalidInput, match=f"{next(iter(given))}: expected"):
        Guard(**given)

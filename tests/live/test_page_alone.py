"""The page without a browser: what it does between steps, and what a socket of its own may send."""

import time
from contextlib import contextmanager

import numpy as np
import pytest

from scmanip.command._live import live
from scmanip.command._screen import Screen
from scmanip.command._show import show_file
from scmanip.errors import InvalidInput
from scmanip.live import DEVICES, DISPLAYS, Admittance, DraggedHandle, Page, Recording

from .arms import session

viser = pytest.importorskip("viser")
msgspec = pytest.importorskip("msgspec")
sync = pytest.importorskip("websockets.sync.client")
xarray = pytest.importorskip("xarray")
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shown():
    page = Page(session())
    yield page
    page.stop()


def until(done, seconds=20.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def connected(page, **other):
    """Open a socket of its own at a page, as a browser does that has its address."""
    port = page.server.get_port()
    given = {"token": page.guard.token, "origin": f"http://127.0.0.1:{port}", **other}
    path = f"ws://127.0.0.1:{port}/?token={given['token']}"
    protocol = [f"viser-v{viser.__version__}"]
    with sync.connect(path, origin=given["origin"], subprotocols=protocol, compression=None, open_timeout=20) as socket:
        yield socket


def look(page, socket):
    """Say from where one looks, after which viser knows a browser."""
    size, pose = {"image_height": 400, "image_width": 500}, {"wxyz": [1.0, 0.0, 0.0, 0.0], "position": [0.0, 0.0, 5.0]}
    to = {"look_at": [0.0, 0.0, 0.0], "up_direction": [0.0, 1.0, 0.0], "fov": 0.7, "near": 0.1, "far": 100.0}
    socket.send(msgspec.msgpack.encode({"type": "ViewerCameraMessage", **size, **pose, **to}))
    until(page.server.get_clients)


def choose(socket, box, value):
    """Choose something in a box as a browser does."""
    socket.send(msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": box._impl.uuid, "updates": {"value": value}}))


def test_display_and_device_are_chosen_on_the_page_and_what_cannot_be_is_told():
    page = Page(session())
    try:
        boxes = page._switches
        assert boxes.display.options == tuple(DISPLAYS) and boxes.device.options == tuple(DEVICES)
        with connected(page) as socket:
            look(page, socket)
            choose(socket, boxes.display, "admittance")
            until(lambda: "not led" in page.pace.problem)
            until(lambda: boxes.display.value == "impedance")
            choose(socket, boxes.device, "simulated handle")
            until(lambda: isinstance(page.session.device, DraggedHandle))
            choose(socket, boxes.display, "admittance")
            until(lambda: isinstance(page.session.display, Admittance))
            assert boxes.display.value == "admittance" and page.pace.problem == ""
    finally:
        page.stop()


@pytest.mark.parametrize("other", [{"token": ""}, {"token": "wrong"}, {"origin": "http://evil.example"}, {"origin": "null"}])
def test_its_socket_is_closed_to_who_has_no_token_or_comes_from_elsewhere(shown, other):
    with pytest.raises(InvalidStatus, match="403"), connected(shown, **other):
        pass


def test_a_message_that_is_too_large_ends_a_connection_and_the_session_goes_on(shown):
    with connected(shown) as socket, pytest.raises(ConnectionClosed) as closed:
        socket.send(b"x" * (shown.guard.most_bytes + 1))
        for _ in range(1000):
            socket.recv(timeout=5)
    assert closed.value.rcvd.code == 1009
    t = shown.session.t
    shown.pace.advance(5)
    until(lambda: shown.session.t > t)


class Browser:
    """Something that keeps what it is sent."""

    def __init__(self):
        self.files = {}

    def send_file_download(self, name, content):
        self.files[name] = content


def test_a_recording_is_handed_to_the_browser_and_written_at_the_end(tmp_path):
    kept, file, browser = tmp_path / "pulled.json", tmp_path / "pulled.nc", Browser()

    def opened(page):
        page.pace.advance(50)
        page.record(browser)
        until(lambda: page.session.tries == 50)
        until(lambda: page._wanted)
        page.show()
        page._ended.set()

    screen = Screen()
    given = {"host": "127.0.0.1", "port": 0, "exposed": False, "strict": False, "opened": opened}
    for path in (kept, file):
        live(screen, "model:planar_four_link", record=str(path), **given)
    (tmp_path / "sent.json").write_bytes(browser.files["planar-four-link.json"])
    for path in (kept, tmp_path / "sent.json"):
        recording = Recording.load(path)
        flown = recording.flown()
        assert recording.apart(flown) == 0.0 and flown.t == pytest.approx(0.05)
    with xarray.open_dataset(file) as series:
        assert np.array_equal(series["q"], flown.history().q) and series["q"].attrs["units"]
    show_file(screen, str(kept), shot=str(tmp_path / "flown.png"), html=None, mode=None, case=None)
    assert (tmp_path / "flown.png").stat().st_size > 1000
    with pytest.raises(InvalidInput, match=r"--record: expected a file that ends in \.json"):
        live(screen, "model:planar_four_link", record="pulled.csv", **given)
    with pytest.raises(InvalidInput, match="--record: expected a place where a file can be written"):
        live(screen, "model:planar_four_link", record=str(path / "pulled.json"), **given)


def test_the_page_imposes_what_is_armed_and_goes_on_after_a_number_that_is_none():
    page = Page(session())
    try:
        page.pace.ask(lambda live: setattr(page.ahead, "armed", ("pinned",)))
        page.pace.play()
        until(lambda: page.session.plant.constraints == ("pinned",) and page.ahead.armed == ())
        wrong = {"type": "TransformControlsUpdateMessage", "name": "/hand", "position": [np.nan, 0.0, 0.0]}
        with connected(page) as socket:
            socket.send(msgspec.msgpack.encode({**wrong, "wxyz": [1.0, 0.0, 0.0, 0.0]}))
            until(lambda: "finite" in page.pace.problem)
            t = page.session.t
            until(lambda: page.session.t > t + 0.05)
            assert not page.session.link.holds
        assert np.isfinite(page.pace.seen.x).all()
    finally:
        page.stop()

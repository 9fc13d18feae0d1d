"""The page without a browser: what it does between steps, and what a socket of its own may send."""

import time
from contextlib import contextmanager

import numpy as np
import pytest

from scmanip.command._live import live
from scmanip.command._screen import Screen
from scmanip.command._show import show_file
from scmanip.errors import InvalidInput
from scmanip.live import (
    DEVICES,
    DISPLAYS,
    Admittance,
    DraggedHandle,
    Firmness,
    Gains,
    Guard,
    Pace,
    Page,
    Recording,
)
from scmanip.live.page._page import plain

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


def test_boxes_show_what_the_session_has_and_what_is_refused_is_told_while_it_goes_on():
    most = Gains(K=1.0)
    page = Page(session(firmness=Firmness(wn_rad_s=80.0, most=most)))
    try:
        boxes, live = page._switches, page.session
        page.pace.play()
        with connected(page) as socket:
            look(page, socket)
            for box, value, said in (
                (boxes.display, "nothing", "display"),
                (boxes.ways, "nothing", "way"),
                (boxes.speed, 0.0, "speed: expected a finite number > 0"),
                (boxes.speed, np.nan, "speed: expected a finite number"),
                (boxes.firm, 1e6, "wn_rad_s: expected at most"),
            ):
                before, t = box.value, live.t
                choose(socket, box, value)
                until(lambda said=said: said in page.pace.problem)
                until(lambda box=box, before=before: box.value == before)
                until(lambda t=t: live.t > t)
            choose(socket, boxes.gains, 3.0)
            until(lambda: live.flight.loop.setup.controller is not live.law)
            choose(socket, boxes.ways, "firm")
            until(lambda: live.way == "firm" and boxes.gains.value == 1.0)
            choose(socket, boxes.firm, 30.0)
            until(lambda: live.firmness == Firmness(wn_rad_s=30.0, most=most))
            choose(socket, boxes.armed["pinned"], True)
            until(lambda: boxes.holding["pinned"].value and not boxes.armed["pinned"].value)
            assert live.plant.constraints == ("pinned",)
    finally:
        page.stop()


def test_names_of_files_are_no_markup_on_the_page():
    assert plain("<img src=x> *a* `b`_c") == r"\<img src\=x\> \*a\* \`b\`\_c"


def test_a_page_begins_with_what_the_session_has():
    page = Page(session(firmness=Firmness(wn_rad_s=0.5)))
    page.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_ends_by_a_mistake_says_so():
    pace = Pace(session())
    pace.start()
    pace.ask(lambda live: 1 / 0)
    until(lambda: "ended by a mistake" in pace.problem)
    pace.end()


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_place_that_cannot_be_listened_at_is_refused_at_once(port):
    with pytest.raises(InvalidInput, match="port: expected a number from 0 to 65535"):
        Page(session(), port=port)
    with pytest.warns(UserWarning, match="other machines"):
        nowhere = Guard(host="203.0.113.1", exposed=True)
    with pytest.raises(InvalidInput, match=r"host: expected an address of this machine, found '203\.0\.113\.1'"):
        Page(session(), nowhere)


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
        live(screen, "model:planar_four_link", record=str(kept / "below.json"), **given)


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

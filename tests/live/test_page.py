"""The live page in a browser: a gizmo drags the gripper of a floating arm."""

import shutil
import time
from threading import Thread

import numpy as np
import pytest
from matplotlib.image import imread

from scmanip.live import Firmness, Page

from .arms import session

pytest.importorskip("viser")
playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium")]
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture
def browser():
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def page():
    shown = Page(session(firmness=Firmness(wn_rad_s=20.0)))
    thread = Thread(target=shown.serve)
    thread.start()
    yield shown
    shown.stop()
    thread.join()


def until(done, seconds=60.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def tip(page):
    session = page.session
    return np.asarray(session.link.pose()[0])


def test_the_gizmo_drags_the_gripper_and_the_base_goes_the_other_way(page, browser, tmp_path):
    tab, errors = browser.new_page(viewport={"width": 520, "height": 420}), []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(page.address)
    tab.wait_for_selector("canvas")
    until(lambda: len(page.server.get_clients()) == 1)
    place, begun = tip(page), np.array(page.session.flight.loop.hardware.r_0)
    look_down(page, place)
    page.pace.play()
    x, y = take_the_green_arrow(tab, page, tmp_path / "shot.png")
    for k in range(2, 13):
        tab.mouse.move(x + 2 * k, y - 4.5 * k)
        time.sleep(0.05)
    for _ in still_moving(tab, x + 24, y - 54):
        if np.linalg.norm(tip(page) - place) > 0.3:
            break
    else:
        raise AssertionError("the gripper did not follow")
    tab.mouse.up()
    until(lambda: not page.session.link.holds)
    page.pace.pause()
    until(lambda: page.pace.seen.t == page.session.t)
    history, session = page.session.history(), page.session
    pulled, shifted = tip(page) - place, history.r_0[-1] - begun - history.external_displacement[-1]
    assert pulled @ shifted < 0  # the base goes the other way, as the system CoM sees it
    assert np.allclose(history.P, history.external_impulse, atol=1e-9, rtol=0)
    still = session.plant.model.momentum(session.flight.loop.hardware).P
    assert np.linalg.norm(still) > 0.1
    t = session.t
    page.pace.advance(200)
    until(lambda: page.session.t > t + 0.199)
    assert np.allclose(session.plant.model.momentum(session.flight.loop.hardware).P, still, atol=1e-9)
    assert not errors


SENT = """([address, size]) => new Promise(done => {
  const socket = new WebSocket(address, PROTOCOL);
  let opened = false;
  socket.onopen = () => { opened = true; if (size) socket.send(new Uint8Array(size)); };
  socket.onclose = event => done([opened, event.code]);
})"""


def test_the_socket_of_the_page_is_closed_to_other_pages_to_who_has_no_token_and_to_what_is_too_large(page, browser):
    import viser

    script = SENT.replace("PROTOCOL", repr(f"viser-v{viser.__version__}"))
    own = page.address.replace("http:", "ws:")
    bare = own.split("?")[0]
    tab, stranger = browser.new_page(), browser.new_context().new_page()
    tab.goto(page.address)
    tab.wait_for_selector("canvas")
    until(lambda: len(page.server.get_clients()) == 1)
    assert tab.evaluate(script, [bare, page.guard.most_bytes + 1]) == [True, 1009]  # its cookie lets it in
    stranger.goto("data:text/html,another page")
    for address in (own, bare):
        assert stranger.evaluate(script, [address, 0]) == [False, 1006]
    answer = stranger.goto(page.address.split("?")[0])
    assert answer.status == 403 and "token is missing" in stranger.content()
    assert stranger.evaluate(script, [bare, 0]) == [False, 1006]  # from its own origin, without a token
    assert len(page.server.get_clients()) == 1


def look_down(page, place):
    """See the hand from above, to the left and below of where the switches are."""
    metre = 210 / np.tan(0.35) / 6.0  # in pixels
    middle = place[0] + 140 / metre, place[1] + 120 / metre
    for client in page.server.get_clients().values():
        client.camera.up_direction, client.camera.fov = (0.0, 1.0, 0.0), 0.7
        client.camera.position = (*middle, 6.0)
        client.camera.look_at = (*middle, 0.0)
    time.sleep(3.0)


def take_the_green_arrow(tab, page, path):
    """Return where the mouse took the arrow, tried again where a browser on a busy machine was not yet there."""
    for _ in range(10):
        found = top_of_the_green_arrow(tab, path)
        if found is None:
            time.sleep(1.0)
            continue
        x, y = found
        tab.mouse.move(x - 3, y + 3)
        tab.mouse.move(x, y)
        time.sleep(1.0)
        tab.mouse.down()
        time.sleep(0.5)
        tab.mouse.move(x + 2, y - 4.5)
        for _ in still_moving(tab, x + 2, y - 4.5, seconds=3.0):
            if page.session.link.holds:
                return x, y
        tab.mouse.up()
    raise AssertionError("the arrow could not be taken")


def still_moving(tab, x, y, seconds=60.0):
    """Yield again and again, a pixel to and fro, as a hand does: one that a stall let go takes hold again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        tab.mouse.move(x + 1, y)
        tab.mouse.move(x, y)
        time.sleep(0.05)


def top_of_the_green_arrow(tab, path):
    """Return where the arrow of the gizmo is that points along y; None where none is seen yet."""
    tab.screenshot(path=path)
    red, green, blue = np.moveaxis((imread(path)[:, :, :3] * 255).astype(int), 2, 0)
    seen = (green > 150) & (green - red > 50) & (green - blue > 20)
    seen[:165] = seen[:, 235:] = False
    rows, columns = np.nonzero(seen)
    if not rows.size:
        return None
    return float(columns[rows < rows.min() + 8].mean()), float(rows.min() + 5)

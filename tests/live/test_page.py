"""The live page in a browser: a gizmo drags the gripper of a floating arm."""

import shutil
import time
from threading import Thread

import numpy as np
import pytest

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


def test_the_gizmo_drags_the_gripper_and_the_base_goes_the_other_way(page, browser):
    tab, errors = browser.new_page(viewport={"width": 900, "height": 700}), []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(page.address)
    tab.wait_for_selector("canvas")
    until(lambda: len(page.server.get_clients()) == 1)
    place = tip(page)
    look_down(page, place)
    page.pace.play()
    time.sleep(1.0)
    middle, reach = (450, 350), 180
    begun = np.array(page.session.flight.loop.hardware.r_0)
    drag(tab, middle, (middle[0], middle[1] - reach))
    until(lambda: page.session.link.holds or page.session.t > 30)
    until(lambda: tip(page)[1] - place[1] > 0.3)
    tab.mouse.up()
    until(lambda: not page.session.link.holds)
    page.pace.pause()
    time.sleep(0.1)
    history = page.session.history()
    moved = history.r_0[-1] - begun - history.external_displacement[-1]
    assert moved[1] < -0.01  # the other way, as the system CoM sees it
    assert np.allclose(history.P, history.external_impulse, atol=1e-9, rtol=0)
    assert np.linalg.norm(history.P[-1]) > 0.1
    still = page.session.plant.model.momentum(page.session.flight.loop.hardware).P
    page.pace.advance(200)
    time.sleep(1.0)
    drifting = page.session.plant.model.momentum(page.session.flight.loop.hardware).P
    assert np.allclose(still, drifting, atol=1e-12)
    assert not errors


def look_down(page, place):
    """See the hand from above, y upwards."""
    for client in page.server.get_clients().values():
        client.camera.up_direction = (0.0, 1.0, 0.0)
        client.camera.position = (*place[:2], 4.0)
        client.camera.look_at = place
    time.sleep(1.0)


def drag(tab, start, end):
    """Drag the arrow of the gizmo that points upwards."""
    for first in range(30, 120, 10):
        tab.mouse.move(start[0], start[1] - first)
        time.sleep(0.05)
    tab.mouse.move(start[0], start[1] - 60)
    tab.mouse.down()
    for k in range(1, 30):
        tab.mouse.move(start[0], start[1] - 60 + (end[1] - start[1]) * k / 29)
        time.sleep(0.05)

"""The picture in a report plays: it is the only script, in a frame of its own, and nothing leaves the page."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scmanip.command._application import application
from tests.mission.files import MISSION, SYSTEM

pytest.importorskip("viser")
FRAME = re.compile(r'<iframe id="([^"]*)" sandbox="([^"]*)" loading="lazy" title="[^"]*" srcdoc="([^"]*)"></iframe>')


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("playback")
    (folder / "arm.toml").write_text(SYSTEM, encoding="utf-8")
    (folder / "mission.toml").write_text(MISSION + "\n[output]\nfigures = []\n", encoding="utf-8")
    out = str(folder / "out")
    for line in (["run", str(folder / "mission.toml"), "-o", out], ["report", out, "--no-verify"]):
        result = CliRunner().invoke(application, line)
        assert result.exit_code in (0, 1), result.output
    return folder / "out"


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_scripts_are_in_the_frame_alone_which_has_no_way_to_the_page(text: str) -> None:
    ((name, sandbox, inner),) = FRAME.findall(text)
    assert (name, sandbox) == ("playback", "allow-scripts")  # without allow-same-origin, which would let it out
    assert "<script" in html.unescape(inner)
    around = FRAME.sub("", text)
    for word in ("<script", "<iframe", "javascript:", "@import", "url(", " onload=", " onclick=", " onerror="):
        assert word not in around
    assert "It is a script in a frame that may draw and nothing else" in around


@pytest.mark.slow
def test_the_policy_lets_nothing_load_but_what_the_page_brings_along(text: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', FRAME.sub("", text))
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["script-src-attr"] == "'none'"
    inside = {"'none'", "'unsafe-inline'", "'unsafe-eval'", "data:", "blob:"}
    assert {word for sources in rules.values() for word in sources.split()} <= inside


@pytest.mark.slow
def test_the_page_has_eight_instants_and_stays_small(text: str) -> None:
    assert 'id="instants"' in text
    assert len(text.encode()) < 4e6
    assert text.index('id="playback"') < text.index('id="instants"')


@pytest.mark.slow
def test_the_picture_draws_moves_and_asks_for_nothing(folder: Path) -> None:
    browsers = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    said, asked = [], []
    with browsers.sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((folder / "report.html").as_uri())
        page.locator("#playback").scroll_into_view_if_needed()
        frame = page.frame_locator("#playback")
        frame.locator("canvas").first.wait_for(timeout=60_000)
        page.wait_for_timeout(4000)
        begun = page.locator("#playback").screenshot()
        frame.locator("#time").evaluate("bar => { bar.value = bar.max; bar.dispatchEvent(new Event('input')); }")
        page.wait_for_timeout(2000)
        ended = page.locator("#playback").screenshot()
        browser.close()
    assert said == []
    assert [url for url in asked if not url.startswith(("data:", "blob:", "about:", (folder / "report.html").as_uri()))] == []
    assert begun != ended

"""One browser for all tests of pages."""

from __future__ import annotations

import pytest

from .browser import CHROMIUM, SOFTWARE, Opened


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright opens pages")
    if CHROMIUM is None:
        pytest.skip("no chromium here")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=SOFTWARE)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser):
    """Open pages from disk that are closed again."""
    pages = []

    def open_(path, **how):
        pages.append(Opened.of(browser, path, **how))
        return pages[-1]

    yield open_
    for page in pages:
        page.close()

"""One short run that many tests look at."""

from __future__ import annotations

import pytest

from scmanip.mission import Run, load_mission

from .files import written


@pytest.fixture(scope="session")
def flown(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return the short mission, flown."""
    return load_mission(written(tmp_path_factory.mktemp("flown"))).run()

"""What decides the last bits of a result is told: releases and the processor."""

from __future__ import annotations

import platform
from dataclasses import replace

import llvmlite
import numpy as np
import pytest

import scmanip
from scmanip.compiled import processor, releases
from scmanip.compiled.kernel._host import host


def test_releases_are_those_that_are_loaded() -> None:
    found = releases("h5py", "no-such-package")
    assert found["numpy"] == np.__version__
    assert found["llvmlite"] == llvmlite.__version__
    assert found["scmanip"] == scmanip.__version__
    assert found["python"] == platform.python_version()
    assert found["no-such-package"] == "not installed"


def test_processors_that_run_other_code_have_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    here = host()
    others = [
        replace(here, cpu="x86-64"),
        replace(here, features="+sse2"),
        replace(here, lanes=2),
        replace(here, triple="arm64"),
    ]
    words = {processor()}
    for other in others:
        monkeypatch.setattr("scmanip.compiled.kernel._computer.host", lambda other=other: other)
        words.add(processor())
    assert len(words) == 5
    assert all("\n" not in word and len(word) < 120 for word in words)

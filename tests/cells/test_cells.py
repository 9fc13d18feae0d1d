"""What cells of a notebook show."""

import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest

import scmanip
from scmanip.cells import _waiting, cards, html_table, waiting
from scmanip.channels import for_people
from scmanip.control import ComputedTorque
from scmanip.system import Body, Joint


def test_a_table_escapes_every_word():
    shown = cards(html_table("<b>", ["<i>"], [["<script>", 0.123456789, 3]], ["<u>"]))
    assert not {"<b><b>", "<i>", "<script>", "<u>"} & set(shown.split("\n")) and "<script>" not in shown
    assert all(f"&lt;{word}&gt;" in shown for word in ("b", "i", "script", "u"))
    assert ">0.12346<" in shown and ">3<" in shown


def test_a_table_without_rows_is_a_title():
    assert html_table("all is said", ["what"], []) == "<p><b>all is said</b></p>"


@pytest.fixture(scope="module")
def arm():
    link = {"mass_kg": 5.0, "com_m": [0.5, 0, 0], "inertia_kg_m2": [0, 0.4, 0.4]}
    joint = Joint("j<1>", "revolute", axis=[0, 0, 1], lower=-np.pi / 2, upper=np.pi / 2)
    return scmanip.System("arm & base", Body("base", 50, [4, 4, 4]), [Body("link", **link, parent="base", joint=joint)])


def test_a_system_shows_its_bodies_with_limits_in_degrees(arm):
    shown = arm._repr_html_()
    assert "arm &amp; base: 55 kg, 1 joint freedom, its base free" in shown
    assert "j&lt;1&gt;" in shown and "-90 to 90 deg" in shown and "revolute" in shown


def test_a_state_shows_its_parts_and_how_far_the_base_is_turned(arm):
    half = np.sqrt(0.5)
    shown = scmanip.State(r_0=[1, 2, 3], attitude_xyzw=[0, 0, -half, -half], q=[0.25], omega_0=[0, 0, 0.5])._repr_html_()
    assert "turned by 90 deg" in shown and "1, 2, 3" in shown and "rad/s" in shown and "0.25" in shown
    fixed = scmanip.State(q=[0.25])._repr_html_()
    assert "r_0" not in fixed and "turned" not in fixed
    assert "2 cases" in scmanip.State.at_rest(arm, [[0.0], [1.0]])._repr_html_()


def test_a_model_shows_the_programs_that_it_has(arm):
    model = scmanip.compile_model(arm)
    assert "when they are first needed" in model._repr_html_()
    model.H(scmanip.State.at_rest(arm, [0.0]))
    assert ">H<" in model._repr_html_()


def test_a_history_shows_how_it_ended_its_laws_and_its_series(arm):
    model = scmanip.compile_model(arm)
    law, start = ComputedTorque(model, K_P=1.0, K_D=1.0), scmanip.State.at_rest(arm, [0.0])
    from scmanip.guidance import Hold

    history = scmanip.simulate(model, scmanip.Floating(), law, start, reference=Hold([0.5]), t_end_s=1.0)
    shown = history._repr_html_()
    assert "completed" in shown and "momentum" in shown and "arm &amp; base" in shown and "omega_0" in shown
    series = history.channels._repr_html_()
    assert "joint forces of the actuators" in series and ">state<" in series and ">N m<" in series


def test_angles_are_read_in_degrees():
    assert for_people("rad/s") == ("deg/s", 180 / np.pi) and for_people("N m/rad") == ("N m/rad", 1.0)


@pytest.fixture
def cell(monkeypatch):
    """A kernel that runs cells and writes down what a line in them is."""
    shown = []
    handle = SimpleNamespace(update=shown.append)
    display = SimpleNamespace(HTML=str, display=lambda text, display_id: shown.append(text) or handle)
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(_waiting, "_EVERY_S", 0.005)
    return shown


def until(condition):
    """Wait until something is so, two seconds at most."""
    last = time.monotonic() + 2.0
    while not condition() and time.monotonic() < last:
        time.sleep(0.002)
    assert condition()


def test_a_cell_says_what_takes_long_how_far_it_is_and_clears_it(cell, monkeypatch):
    monkeypatch.setattr(_waiting, "PATIENCE_S", 0.0)
    with waiting("study <one>") as tell:
        until(lambda: "study &lt;one&gt;, 0 s" in "".join(cell))
        tell("3 of 7 cases")
        until(lambda: "study &lt;one&gt;: 3 of 7 cases, 0 s" in cell[-1])
        with waiting("machine code"):
            until(lambda: "machine code, 0 s" in cell[-1])
        until(lambda: "3 of 7 cases" in cell[-1])
    assert cell[-1] == ""


def test_what_is_done_soon_says_nothing(cell):
    with waiting("a blink"):
        pass
    assert cell == []


def test_outside_of_a_notebook_nothing_is_said(capsys, monkeypatch):
    monkeypatch.setattr(_waiting, "PATIENCE_S", 0.0)
    with waiting("a script") as tell:
        tell("half")
        time.sleep(0.01)
    assert capsys.readouterr() == ("", "")

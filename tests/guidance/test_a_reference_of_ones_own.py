"""References of one's own, in machine code and in Python: what they say is taken as numbers of any kind, or refused by name."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Floating, State, compile_model, load_system, simulate
from scmanip.control import ComputedTorque, Sampled
from scmanip.errors import InvalidInput
from scmanip.guidance import JointReference, ReferenceForm
from scmanip.simulation import ensemble

MODEL = compile_model(load_system("model:planar_four_link"))
LAW, START = ComputedTorque(MODEL, K_P=1.0, K_D=1.4), State.at_rest(MODEL.system, np.zeros(4))


@dataclass(frozen=True)
class RampForm(ReferenceForm):
    """When a ramp begins, where, and how fast it rises."""

    size = 9

    def at(self, t, numbers):
        return JointReference(numbers[1:5] + numbers[5:] * (t - numbers[0]), numbers[5:], 0 * numbers[5:])


class Zigzag:
    """Up and down between 1 s and 3 s, in whole numbers."""

    corners_s, t_end_s, form, kind = (1, 2, 3), 3, RampForm(), int

    def numbers(self, t):
        rate = 1 if 1 <= t < 2 else -1 if 2 <= t < 3 else 0
        return np.array([2 if rate < 0 else 1, *[1 if rate < 0 else 0] * 4, *[rate] * 4], self.kind)

    def at(self, t):
        return RampForm().at(t, self.numbers(t).astype(float))


def said(**changes):
    """Return a zigzag of which something else is said."""
    return type("Said", (Zigzag,), {"numbers": Zigzag.numbers, "at": Zigzag.at, **changes})()


def flown(reference, law=LAW):
    return simulate(MODEL, Floating(), law, START, reference=reference, t_end_s=4, output_step_s=1)


@pytest.mark.parametrize("law", [LAW, Sampled(LAW, rate_Hz=10.0)], ids=["always", "sampled"])
def test_numbers_of_any_kind_lead_alike(law):
    run, floats, python = (flown(each, law) for each in (said(), said(kind=float), said(form=None)))
    assert run.in_machine_code and np.array_equal(run.q, floats.q)
    assert abs(run.q).max() > 0.1
    assert_allclose(run.q, python.q, atol=1e-8)
    many = ensemble(MODEL, Floating(), law, START, reference=said(), t_end_s=4.0, step_s=0.1)
    assert_allclose(many.final.q[0], run.q[-1], atol=1e-6)


@pytest.mark.parametrize("count", [7, 59])
def test_another_number_of_numbers_is_named(count):
    longer = said(numbers=lambda self, t: np.resize(Zigzag.numbers(self, t), count if t else 9))
    with pytest.raises(InvalidInput, match=r"reference numbers at t = 0\.5 s: expected 9 numbers, as its form says, found"):
        flown(longer)
    with pytest.raises(InvalidInput, match="expected 9 numbers, as its form says, found"):
        ensemble(MODEL, Floating(), LAW, START, reference=longer, t_end_s=4.0, step_s=0.1)


@pytest.mark.parametrize("corners", [5.0, None, (np.nan, 1.0), ("a", 1.0), [[1, 2], [3, 4]], Zigzag.at])
def test_corners_that_are_no_times_are_named(corners):
    with pytest.raises(InvalidInput, match=r"reference corners_s: expected times \[s\], found"):
        flown(said(corners_s=corners))


def test_what_is_no_sample_is_named():
    with pytest.raises(InvalidInput, match=r"reference at t = 0 s: expected a JointReference or a PoseReference, found \(1, 2"):
        flown(said(form=None, at=lambda self, t: (1, 2, 3)))
    with pytest.raises(InvalidInput, match=r"reference: expected at\(t\), found Said\.at\(\)"):
        flown(said(form=None, at=lambda self: None))

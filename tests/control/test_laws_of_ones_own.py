"""Laws of one's own as equations: numbers of any kind, a program for each number of them, and what is no command is named."""

import numpy as np
import pytest

from scmanip import Floating, State, compile_model, load_system, simulate
from scmanip.control import Controller, RecordedLaw, Sampled
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold

MODEL = compile_model(load_system("model:planar_four_link"))
START, HOLD = State.at_rest(MODEL.system, np.zeros(4)), Hold(np.full(4, 0.1))


class Pull(RecordedLaw):
    """k (q_D - q), or what else is said."""

    def __init__(self, law):
        self.law = law

    key = property(lambda self: ("pull", self.law.said))
    numbers = property(lambda self: {"k": self.law.k})

    def force(self, x, wanted, numbers):
        force = numbers["k"] * (wanted.q - x[MODEL.layout.x_q])
        return force if self.law.said is None else self.law.said(force)


class Pulling(Controller):
    def __init__(self, k, said=None):
        self.k, self.said = k, said

    def command(self, t, state, reference, memory):
        return np.asarray(self.k) * (reference.q - state.q), memory

    def recorded(self):
        return Pull(self)


def flown(law):
    return simulate(MODEL, Floating(), law, START, reference=HOLD, t_end_s=1.0, output_step_s=0.5)


@pytest.mark.parametrize("around", [lambda law: law, lambda law: Sampled(law, rate_Hz=10.0)], ids=["always", "sampled"])
def test_numbers_are_of_any_kind_and_any_number(around):
    for alike in ((2.0, 2, np.array(2), np.float64(2.0)), ([1, 2, 3, 4], np.arange(1.0, 5.0))):
        runs = [flown(around(Pulling(k))) for k in alike]
        assert all(run.in_machine_code and np.array_equal(run.q, runs[0].q) for run in runs) and runs[0].q.any()


@pytest.mark.parametrize("around", [lambda law: law, lambda law: Sampled(law, rate_Hz=10.0)], ids=["always", "sampled"])
@pytest.mark.parametrize(
    ("law", "words"),
    [
        (Pulling(None), "number 'k' of Pull: expected a number, or an array of some, found None"),
        (Pulling(np.nan), "number 'k' of Pull: expected a number, or an array of some, found nan"),
        (Pulling(1.0, lambda force: force[:3]), r"command of Pull: expected 4 joint forces, .*, found shapes \(3,\) and"),
        (Pulling(1.0, lambda force: force[0]), r"command of Pull: expected 4 joint forces, .*, found shapes \(\) and"),
        (Pulling(1.0, lambda force: None), r"command of Pull: expected 4 joint forces, .*, found shapes \(\) and"),
    ],
)
def test_what_is_no_number_and_no_command_is_named(law, words, around):
    with pytest.raises(InvalidInput, match=words):
        flown(around(law))


@pytest.mark.parametrize("around", [lambda law: law, lambda law: Sampled(law, rate_Hz=10.0)], ids=["always", "sampled"])
def test_a_base_wrench_that_nothing_can_apply_is_named(around):
    law = Pulling(1.0, lambda force: np.concatenate([force[:3], force[:3], force]))
    with pytest.raises(ModeMismatch, match=r"in mode 'floating' only the joints are commanded; return the 4 joint forces"):
        flown(around(law))


def test_what_is_no_law_as_equations_is_named():
    law = type("Odd", (Pulling,), {"recorded": lambda self: 5})(1.0)
    with pytest.raises(InvalidInput, match=r"Odd\.recorded: expected a RecordedLaw or None, found 5"):
        flown(law)

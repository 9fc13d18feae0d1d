"""Runs whose programs another process has recorded record nothing; what is not all of the package's is recorded anew."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip.compiled.kernel import _kept_programs
from scmanip.control import ComputedTorque, Saturated, Sum, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.dynamics.programs._family import Family
from scmanip.guidance import JointSequence
from scmanip.loads import Gravity, Orbit
from scmanip.modes import Floating
from scmanip.simulation import simulate
from scmanip.symbolic import _record
from scmanip.system import State
from tests.simulation.arms import two_joints

SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)


@pytest.fixture
def recorded(monkeypatch, tmp_path):
    """Outputs of the programs that were recorded since it was cleared."""
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path))
    monkeypatch.setattr(_kept_programs, "sources", lambda: "these")
    programs, really = [], _record._recorded

    def noted(*given):
        program = really(*given)
        programs.append(tuple(each.name for each in program.outputs))
        return program

    monkeypatch.setattr(_record, "_recorded", noted)
    return programs


def flown(law=lambda model: WithFeedforward(ComputedTorque(model, K_P=2.0, K_D=2.0)), load=None, mass_2=4.0):
    """What a process flies that knows nothing: the states and work of a run."""
    Family.alive.clear()
    model = compile_model(two_joints(mass_2=mass_2))
    start, options = State.at_rest(model.system, np.zeros(2)), {"reference": SEQUENCE, "t_end_s": 1.0}
    history = simulate(model, Floating(), law(model), start, environment=load, **options)
    assert history.in_machine_code
    return np.column_stack([history.states.x, history.work])


def test_an_equal_run_records_nothing_and_is_equal_to_the_last_bit(recorded):
    first = flown()
    assert recorded
    recorded.clear()
    assert_array_equal(flown(), first)
    assert not recorded


def test_gains_are_no_part_of_it_and_masses_are(recorded):
    flown()
    recorded.clear()
    other = flown(lambda model: WithFeedforward(ComputedTorque(model, K_P=3.0, K_D=2.0)))
    assert not recorded
    assert not np.array_equal(flown(mass_2=5.0), other)
    assert recorded


class Doubled(Sum):
    """A law of another package around others, told in keys by the name of its class alone."""

    factor = 2.0

    def joined(self, commands, q, numbers):
        """The sum, several times."""
        return self.factor * super().joined(commands, q, numbers)

    def recorded(self):
        """As others of its kind."""
        return self.recorded_together()


@dataclass(frozen=True)
class Pull(Gravity):
    """A load of another package."""


def doubled(model):
    """Such a law."""
    return Doubled(ComputedTorque(model, K_P=2.0, K_D=2.0), ComputedTorque(model, K_P=1.0, K_D=1.0))


LAWS = {"alone": doubled, "inside a wrapper": lambda model: Saturated(doubled(model), np.full(2, 50.0))}


def test_a_law_around_others_that_was_changed_between_two_processes_is_the_changed_one(recorded, monkeypatch):
    first = flown(doubled)
    monkeypatch.setattr(Doubled, "factor", 1.0)
    assert not np.array_equal(flown(doubled), first)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_loops_with_laws_of_other_packages_are_recorded(recorded, law):
    first = flown(law)
    recorded.clear()
    assert_array_equal(flown(law), first)
    assert any("ydot" in outputs for outputs in recorded)


def test_loops_with_loads_of_other_packages_are_recorded(recorded):
    own = Pull(Orbit(7.6e6, 0.1, 0.2, 0.3, 0.4, 0.5))
    first = flown(load=own)
    recorded.clear()
    assert_array_equal(flown(load=own), first)
    assert any("ydot" in outputs for outputs in recorded)

"""How states of missions change with numbers of the system and gains of phases: against differences of runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.errors import InvalidInput
from scmanip.mission import Run, load_mission

from .files import HEAD, SYSTEM, phase_table, written

HELD = f'{SYSTEM}\n[[constraint]]\nname = "brake"\ntype = "lock"\njoint = "elbow"\n'
WHEELED = HELD + "".join(
    f'\n[[wheel]]\nname = "w{k}"\naxis = {axis}\ninertia_kg_m2 = 0.02\ntorque_Nm = 50.0\n'
    for k, axis in enumerate(np.eye(3, dtype=int).tolist())
)
END = "\n[integration]\nrtol = 1e-12\noutput_step_s = 0.25\n"
LAW = '{ type = "joint_regulator", K_P = %r, K_D = 4.0 }'
COORDINATED = '{ type = "coordinated", K_P = 4.0, K_D = 4.0, base_K_P = 0.5, base_K_D = 1.0, rate_Hz = %g }'
MASS, GAIN = "body.upper.mass_kg", "phase.rest.controller.K_P"


def moving(until: str) -> str:
    return phase_table("move", until, guidance='{ type = "cycloid", q_rad = { shoulder = 0.9 }, duration_s = 2.0 }')


def flown(
    folder: Path, *names: str, until: str = "", rest: str = "", mass: float = 5.0, gain: float = 4.0, system: str = HELD
) -> Run:
    """A motion, and a phase that holds the joints where the reference before it left them."""
    resting = phase_table("rest", f"until = {{ t_s = 1.0 }}\n{rest}", guidance='{ type = "hold" }', controller=LAW % gain)
    arm = system.replace("mass_kg = 5.0", f"mass_kg = {mass!r}")
    return load_mission(written(folder, HEAD + moving(until) + resting + END, arm)).run(sensitivities=names)


def same_as_differences(folder: Path, run: Run, path: str, more: Run, less: Run, h: float) -> None:
    """The derivatives of all phases; after an event at equal times of the phase."""
    found = run.history.sensitivity[path]
    for name in ("q", "qdot", "attitude_xyzw", "v_0", "omega_0"):
        pairs = zip(more.histories, less.histories, strict=True)
        parts = [getattr(m.states, name)[: len(l.t) - 1] - getattr(l.states, name)[: len(m.t) - 1] for m, l in pairs]
        own = np.cumsum([0, *(len(history.t) for history in run.histories)])
        for first, part in zip(own, parts, strict=False):
            difference = part / (2 * h)
            allowed = 1e-6 * max(abs(difference).max(), 1e-2)
            assert_allclose(getattr(found, name)[first : first + len(part)], difference, rtol=0, atol=allowed, err_msg=name)


@pytest.mark.slow
def test_derivatives_go_on_from_phase_to_phase(tmp_path: Path) -> None:
    """A constraint begins to hold where the second phase does; gains are those of one phase."""
    options = {"until": "until = { t_s = 1.0 }", "rest": 'impose = ["brake"]'}
    run = flown(tmp_path, MASS, GAIN, **options)
    same_as_differences(tmp_path, run, MASS, *(flown(tmp_path, mass=5.0 + h, **options) for h in (1e-3, -1e-3)), 1e-3)
    gained = run.history.sensitivity[GAIN].x.sum(axis=-1)
    more, less = (flown(tmp_path, gain=4.0 + h, **options).history.states.x for h in (1e-3, -1e-3))
    assert_allclose(gained, (more - less) / 2e-3, rtol=0, atol=1e-6 * abs(gained).max())
    assert not gained[: len(run.histories[0].t)].any()
    assert abs(gained).max() > 1e-4
    alone = run.histories[1].sensitivity[MASS]  # from where that phase begins
    assert not alone.q[0].any() and alone.q[-1].any()


def test_what_is_no_path_of_a_mission_is_refused_by_name(tmp_path: Path) -> None:
    for name in ("controller.K_P", "phase.rest.controller.K_Q", "phase.other.controller.K_P"):
        with pytest.raises(InvalidInput, match="sensitivities"):
            flown(tmp_path, name)


AWAITED = 'until = { event = "there", timeout_s = 3.0 }'
EVENT = f'events = [{{ name = "there", type = "approach", frame = "tip", point_m = %s, distance_m = 0.02 }}]\n{AWAITED}'
TIP = HELD + '\n[[frame]]\nname = "tip"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'


@pytest.mark.slow
def test_a_phase_that_an_event_ends_hands_on_where_the_reference_left_the_joints(tmp_path: Path) -> None:
    place = flown(tmp_path, system=TIP, until="until = { t_s = 1.13 }")
    at = place.mission.model.position(place.histories[0].final, "tip")
    options = {"system": TIP, "until": EVENT % at.round(4).tolist()}
    run = flown(tmp_path, MASS, **options)
    assert run.flown[0].ended_by == "there"
    same_as_differences(tmp_path, run, MASS, *(flown(tmp_path, mass=5.0 + h, **options) for h in (1e-3, -1e-3)), 1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("rate_Hz", [0, 10])
def test_a_law_that_holds_the_base_as_it_finds_it_changes_with_the_phase_before(tmp_path: Path, rate_Hz: int) -> None:
    """Its commands, too, where they are sampled."""
    law, path, h = (
        COORDINATED % rate_Hz if rate_Hz else COORDINATED.replace(", rate_Hz = %g", ""),
        "phase.move.controller.K_P",
        1e-3,
    )

    def run(gain: float, *names: str) -> Run:
        first = moving("until = { t_s = 1.0 }").replace("K_P = 4.0", f"K_P = {gain!r}")
        rest = phase_table(
            "rest", "until = { t_s = 1.0 }", guidance='{ type = "hold" }', controller=law, mode="rotation_floating"
        )
        return load_mission(written(tmp_path, HEAD + first + rest + END, WHEELED)).run(sensitivities=names)

    found = run(4.0, path)
    gained = found.history.sensitivity[path].x.sum(axis=-1)
    difference = (run(4.0 + h).history.states.x - run(4.0 - h).history.states.x) / (2 * h)
    assert_allclose(gained, difference, rtol=0, atol=1e-6 * abs(difference).max())


@pytest.mark.slow
def test_the_command_line_shows_how_the_end_changes(tmp_path: Path) -> None:
    file = written(tmp_path, HEAD + moving("until = { t_s = 0.5 }") + END, SYSTEM)
    result = CliRunner().invoke(application, ["run", str(file), "--sensitivity", MASS])
    (line,) = (line for line in result.stdout.splitlines() if line.startswith("shoulder"))
    found = load_mission(file).run(sensitivities=[MASS]).history.sensitivity[MASS]
    assert float(line.split()[-1]) == pytest.approx(found.q[-1, 0], rel=1e-5)
    assert "turn of the base z [rad]" in result.stdout
    several = CliRunner().invoke(application, ["run", "missions/spatial_six_link_modes.toml", "--sensitivity", MASS])
    assert "a mission that is flown in one mode" in several.stderr

"""Make `docs/validation.md` by running what it tells: `python -m docs.make_validation_page`, from the root of the repository.

A number that is worse than what the page allows ends it, and no page is written.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

import scmanip
from scmanip import Model, State, compile_model, load_mission, load_system
from scmanip.command._application import application
from scmanip.simulation import FullState
from scmanip.system import model_names
from tests.benchmarks.agreement import EXACT, check, relative, solved
from tests.benchmarks.operation_counts import GENERAL, PUBLISHED, STANFORD
from tests.dynamics import test_angeles_example_1 as angeles
from tests.dynamics.kane_counts import customised
from tests.dynamics.test_derivatives import GRADIENTS, RATES
from tests.mission import test_stanford_arm as stanford
from tests.oracles.complex_step import gradient, rate
from tests.oracles.random_systems import random_state
from tests.oracles.twins import oracles_of
from tests.system.test_models import puma_found_and_printed

ROOT = Path(__file__).parents[1]
STATES = 4
QUANTITIES = ("M", "bias", "inverse", "forward", "Jacobian", "P", "L_C")
VERIFIED = ("planar_four_link", "bench_6r", "stanford_arm", "stoneking_tree", "kuka_servicer")
DIFFERENTIATED = ("planar_four_link", "ets7", "stoneking_tree")
MISSIONS = (
    "planar_four_link", "spatial_six_link", "ets7_reach", "ets7_wheels", "docking_bumper", "debris_flying",
    "capture_tumbling_target",
)  # fmt: skip
BEGINNING = """# Validation

<!-- made by docs/make_validation_page.py; what is wrong here is wrong there -->

Every number of this page was found by running `python -m docs.make_validation_page`, on {date}, with {versions}. The tests
compare far more (240 random arms, 200 random trees with joints of every kind and with free bodies, every equation number):
[being right](being-right.md) says what and how closely. A relative error is the largest difference of any entry over the
largest entry.

## Against Pinocchio and MuJoCo

Compiled machine code of each packaged model with joints, beside models of the same system that `scmanip.interop` builds in
the other two, at {states} random states with all speeds: position and attitude of the base, joints, rates. Worst relative
errors of M, the forces of velocities and gravity (*bias*), inverse dynamics with random accelerations, forward dynamics
with random joint forces, the Jacobian of the centre of mass of the last body, and linear momentum and angular momentum
about the centre of mass. Allowed are 1e-12, and for forward dynamics, where M is solved with, 10 cond(M) eps where that is
more.
"""
FORMULATIONS = """
## Every formulation against the paper's sums

Worst error at 20 random states, relative to the largest entry, of everything that derives the equations of a system, as
`scmanip verify model:NAME` prints it.
"""
DERIVATIVES = """
## Derivatives against the complex step

Compiled derivatives beside `Im f(x + ih) / h`, h = 1e-30, through the equations on complex numbers, which is exact to
rounding: slopes of the inertia matrices along every joint, and their rates along a motion. Errors are relative to the
largest entry of the derivative or of what is differentiated, at {states} random states.
"""
CONSERVATION = """
## What flights keep

Packaged missions, flown in compiled machine code with all of the state integrated (`coordinates = "full"`), so that
momentum is kept by no construction. Of each the worst of the whole run, over the peak of what moves (the drift of the
centre of mass is in m), beside the limit that its file sets. Where something acts from outside, or on one body alone,
momentum is that less the impulse given; energy is that less the work done. How large these are follows from the tolerances
of the integrator, which files set from 1e-7 to 1e-12.
"""
PRINTED = """
## Numbers and equations in print

The Puma 560 of [Armstrong1986] at q = (0, 45, 180, 0, 45, 0) deg, beside what the Robotics Toolbox, from which the
[model](models.md) was read, publishes: the largest difference from a printed entry, which has four digits behind the point,
so that 5e-5 is rounding.
"""
STANFORD_ARM = """
The Stanford arm of [Kane1983]: driving forces of its missions beside the equations of the paper's listing with the paper's
numbers, the quantity of which the paper prints a bound, and [Angeles1989], whose first example is the same arm in other
axes.
"""
COUNTS = """
Multiplications and additions of inverse dynamics as scmanip records it, beside what is published. Sines and cosines are not
in it. More counts, stage by stage: [recursive Kane](recursive-kane.md).
"""


def page() -> str:
    """Return the text of the page."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "llvmlite", "pin", "mujoco"))
    versions = f"scmanip {scmanip.__version__}, Python {platform.python_version()}, {packages}"
    text = BEGINNING.format(date=datetime.now(UTC).date().isoformat(), versions=versions, states=STATES)
    names = [name for name in model_names() if load_system(f"model:{name}").joints]
    for title, place in (("Pinocchio", 0), ("MuJoCo", 1)):
        rows = [(f"`{name}`", *(_number(_agreement(name)[place, q]) for q in QUANTITIES)) for name in names]
        text += f"\n**Beside {title}**\n\n{_table(('model', *QUANTITIES), rows)}"
    text += FORMULATIONS + "".join(f"\n{_verified(name)}" for name in VERIFIED)
    text += (
        DERIVATIVES.format(states=STATES)
        + "\n"
        + _table(("model", *GRADIENTS, *RATES), list(map(_derivatives, DIFFERENTIATED)))
    )
    text += (
        CONSERVATION + "\n" + _table(("mission", "what", "worst", "limit"), [row for name in MISSIONS for row in _kept(name)])
    )
    text += PRINTED + "\n" + _table(("what", "largest printed", "largest difference"), list(_puma()))
    text += STANFORD_ARM + "\n" + _table(("what", "worst"), list(_stanford_arm()))
    return text + COUNTS + "\n" + _table(("arm", "by", "multiplications", "additions", "together"), list(_counts()))


@cache
def _model(name: str) -> Model:
    return compile_model(load_system(f"model:{name}"))


@cache
def _agreement(name: str) -> dict[tuple[int, str], float]:
    """Return the worst relative error of each quantity beside each twin, or raise `DisagreementError`."""
    model, worst = _model(name), {}
    twins = oracles_of(model.system)
    for seed in range(STATES):
        state, rng = random_state(model.system, seed), np.random.default_rng([seed, 4])
        udot, tau = rng.normal(size=model.layout.n_u), rng.normal(size=model.layout.N) * 10
        ours = _ours(model, state, udot, tau)
        for place, twin in enumerate(twins):
            theirs = _theirs(twin, model, state, udot, tau)
            for quantity in QUANTITIES:
                error = relative(ours[quantity], theirs[quantity])
                check(f"{quantity} of {name}", error, solved(ours["M"]) if quantity == "forward" else EXACT)
                worst[place, quantity] = max(worst.get((place, quantity), 0.0), error)
    return worst


def _ours(model: Model, state: State, udot: np.ndarray, tau: np.ndarray) -> dict[str, np.ndarray]:
    still, moved = model.inverse_dynamics(state, 0 * udot), model.inverse_dynamics(state, udot)
    last, momentum = f"{model.system.bodies[-1].name}.com", model.momentum(state)
    wrenches = [found.wrench[: model.layout.n_base] for found in (still, moved)]
    return {
        "M": model.M(state),
        "bias": np.concatenate([wrenches[0], still.tau]),
        "inverse": np.concatenate([wrenches[1], moved.tau]),
        "forward": model.forward_dynamics(state, tau),
        "Jacobian": np.hstack([model.J0(state, last), model.Jm(state, last)]),
        "P": momentum.P,
        "L_C": momentum.L_C,
    }


def _theirs(twin, model: Model, state: State, udot: np.ndarray, tau: np.ndarray) -> dict[str, np.ndarray]:
    still, moved = twin.inverse_dynamics(state, 0 * udot), twin.inverse_dynamics(state, udot)
    last, (P, L_C) = model.system.bodies[-1], twin.momentum(state)
    return {
        "M": twin.M(state),
        "bias": np.concatenate([still[0][: model.layout.n_base], still[1]]),
        "inverse": np.concatenate([moved[0][: model.layout.n_base], moved[1]]),
        "forward": twin.forward_dynamics(state, tau, None, ()),
        "Jacobian": twin.jacobian(state, last.name, last.com_m),
        "P": P,
        "L_C": L_C,
    }


def _verified(name: str) -> str:
    printed = CliRunner().invoke(application, ["verify", f"model:{name}"])
    assert printed.exit_code == 0, printed.output
    block = printed.output.split("relative to largest entry\n")[1].split("every other pair")[0].splitlines()
    head, *rows = [re.split(r"\s{2,}", line.strip()) for line in block if line.strip()]
    columns = [column for column in head if column != "no."]
    return _table((f"`{name}`", *columns), [row[: 1 + len(columns)] for row in rows])


def _derivatives(name: str) -> tuple[str, ...]:
    model, cells = _model(name), []
    for derived, by in ((GRADIENTS, gradient), (RATES, rate)):
        for quantity, of in derived.items():
            errors = []
            for seed in range(STATES):
                state = random_state(model.system, seed)
                exact = by(model.system, state, lambda equations, of=of: getattr(equations, of))
                ours, M = getattr(model, quantity)(state), model.M(state)
                errors.append(abs(ours - exact).max() / max(abs(exact).max(), abs(M).max()))
                check(f"{quantity} of {name}", errors[-1], solved(M))
            cells.append(_number(max(errors)))
    return f"`{name}`", *cells


def _kept(name: str) -> Iterator[tuple[str, ...]]:
    """Yield what a mission keeps, with how far and within which limit."""
    mission, said = load_mission(ROOT / "missions" / f"{name}.toml"), f"`{name}`"
    run = replace(mission, phases=tuple(replace(phase, coordinates=FullState()) for phase in mission.phases)).run()
    assert run.passed, str(run.summary())
    kept = [verdict for verdict in run.verdicts if verdict.name in KEPT and verdict.limit is not None]
    for verdict in kept:
        yield said, verdict.meaning, _number(verdict.value), f"{verdict.limit:.0e}"
        said = ""
    assert len(kept) >= 3, name


KEPT = {
    "linear_momentum_relative", "angular_momentum_relative", "linear_momentum_balance_relative",
    "angular_momentum_balance_relative", "system_com_drift", "energy_relative",
}  # fmt: skip


def _puma() -> Iterator[tuple[str, ...]]:
    for what, (found, printed) in puma_found_and_printed().items():
        error = abs(found - printed).max()
        check(what, error, 0.5e-4)
        yield what, f"{abs(printed).max():.4f}", _number(error)


def _stanford_arm() -> Iterator[tuple[str, str]]:
    flown = stanford.history(stanford.PRESCRIBED)
    motions = zip(*stanford.eq_127(flown.t), strict=True)
    listed = np.array([stanford.driving_forces(*motion) for motion in motions])
    regulated = stanford.history(stanford.REGULATED)
    law = stanford.eqs_128_to_133(regulated.q[:, stanford.CHAIN], regulated.qdot[:, stanford.CHAIN])
    stages = angeles.torques_of_the_paper(load_system("model:stanford_arm_hd"))
    trajectory = [(State(q=q, qdot=qdot), qddot) for q, qdot, qddot in map(angeles.trajectory, angeles.T)]
    kane = np.array([_model("stanford_arm").inverse_dynamics(*motion).tau for motion in trajectory])
    for what, error, limit in (
        ("forces along the motion of eq. 127, of the listing, over each one's largest",
         stanford.relative(stanford.papers_forces(stanford.PRESCRIBED), listed).max(), 1e-9),
        ("forces of the regulator, of eqs 128-133, over each one's largest",
         stanford.relative(stanford.papers_forces(stanford.REGULATED), law).max(), 1e-12),
        ("H . n2 without tau_1, which stays 0 [N m s]; the paper: below 1e-9",
         stanford.history(stanford.FREE).residuals["root_joint_momentum"].value, 1e-9),
        ("torques along example 1 of [Angeles1989] by its stages on its arm, beside this arm",
         relative(stages, kane), EXACT),
    ):  # fmt: skip
        check(what, error, limit)
        yield what, _number(error)


def _counts() -> Iterator[tuple[object, ...]]:
    for arm, model in ((STANFORD, "stanford_arm"), (GENERAL, "general_6r")):
        ours = customised(load_system(f"model:{model}"))
        yield arm, f"scmanip, `{model}`", ours.M, ours.A, ours.M + ours.A
        for where, source, M, A in PUBLISHED:
            if where == arm:
                yield "", source, M, A, M + A


def _number(value: float) -> str:
    return f"{value:.1e}" if value else "0"


def _table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:], ""])


if __name__ == "__main__":
    (ROOT / "docs" / "validation.md").write_text(page(), encoding="utf-8")

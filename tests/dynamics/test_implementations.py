"""Every way to a quantity gives what the paper's sums give on floats: recorded, composed, compiled, in lanes, without LLVM.

The reference is `Model.equations`; its own oracles are in `test_against_pinocchio_and_mujoco`.
"""

from __future__ import annotations

import gc
import pickle
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from threading import Barrier
from typing import cast

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import scmanip
from scmanip.compiled import CompiledProgram, compile_program
from scmanip.compiled.kernel import _compiled_program
from scmanip.dynamics import (
    FoldedInertia,
    Full,
    Model,
    Partial,
    Reference,
    RunTimeInertia,
    compile_model,
    derive,
    inertia_table,
)
from scmanip.dynamics.programs import _programs
from scmanip.dynamics.programs._forms import recursive
from scmanip.errors import InvalidInput
from scmanip.spatial import DCM, Quaternion, RotationForm
from scmanip.symbolic import Program
from scmanip.system import Body, Frame, Joint, State, System

from ..models import COUNTED
from ..oracles.mujoco_oracle import MujocoOracle
from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, FIRST_TREE, random_state, random_system, random_tree
from .agreement import Inputs, check, reference

FORMS, INERTIAS = (DCM(), Quaternion()), (FoldedInertia(), RunTimeInertia())
CHUNK = 20
CHUNKS = [range(start, start + CHUNK) for start in (*range(0, 200, CHUNK), FIRST_TREE, FIRST_OF_ALL, FIRST_FOREST)]
JUDGED = [*CHUNKS[:10:5], *CHUNKS[10:]]  # of chains a few dozen states, and all of the rest
every_system = pytest.mark.parametrize(
    "seeds",
    [chunk if chunk in JUDGED else pytest.param(chunk, marks=pytest.mark.exhaustive) for chunk in CHUNKS],
    ids=lambda seeds: f"seeds {seeds.start}-{seeds.stop - 1}",
)

RECORDED = (
    "M", "H0", "H0m", "Hm", "H", "H0_inverse", "S_U", "r_0C", "C", "momentum_bias", "gravity_force", "Hdot", "kinetic_energy",
    "momentum", "J0:tip", "Jm:tip", "J_star:tip", "J_star_drift:tip", "J_dot_u:tip", "position:tip", "attitude:tip",
    "J_star@base", "forward_dynamics", "inverse_dynamics", "floating_inverse_dynamics",
)  # fmt: skip
FLOATING_ONLY = ("forward_dynamics:wrench",)
OF_SHORT_ARMS = (
    "dH_dq", "c", "coriolis_matrix", "H0_dot", "H0m_dot", "Hm_dot", "dH0_dq", "dH0m_dq", "dHm_dq", "transforms",
    "link_transforms", "momentum_by_body", "momentum_by_tree", "energy_by_body", "springs",
)  # fmt: skip

OF_ONE_FORM = {"forward_dynamics_derivatives", "inverse_dynamics_derivatives", "regressor", "momentum_regressor"}  # see there


def system_of(seed: int) -> System:
    """The first have 0-10 joints, the rest 0-4; trees have gimbals and spherical joints."""
    if seed >= FIRST_TREE:
        return random_tree(seed, joints=seed % 3 + 1)
    return random_system(seed) if seed < 40 else random_system(seed, joints=seed % 5)


def names_of(system: System) -> tuple[str, ...]:
    free = () if system.fixed else FLOATING_ONLY
    names = RECORDED + free + (OF_SHORT_ARMS if system.layout.N <= 5 or len(system.trees) > 1 else ())
    tip_is_free = system.tree_of(system.frame("tip").body) > 0
    left_out = {"J_star:tip", "J_star_drift:tip"} if tip_is_free else set()
    left_out |= {"coriolis_matrix"} if system.trees[0].system.layout.quaternions else set()
    left_out |= set() if system.trees[0].system.mass_kg else {"S_U"}  # a stand without mass has no CoM
    return tuple(name for name in names if name not in left_out)


def evaluated(model: Model, names: Sequence[str], state: State, given: Inputs) -> dict[str, np.ndarray]:
    """Outputs of one recorded program of several quantities, by NumPy and by the recursions wherever these give them."""
    derivation = model.symbolic.derivation
    program = derivation.packed_program(names, recursive)
    arrays = {"x": state.x, "inertia": inertia_table(derivation.system)} | {
        f.name: getattr(given, f.name) for f in fields(given)
    }
    results = program.evaluate(*(arrays[i.name] for i in program.inputs))
    return dict(zip([output.name for output in program.outputs], results, strict=True))


# Recorded programs


@pytest.mark.slow
@every_system
def test_recorded_programs_agree_with_the_sums_of_the_paper(seeds: range) -> None:
    """All four pairs of kinematics and inertia take turns."""
    for seed in seeds:
        system = system_of(seed)
        model = compile_model(system, kinematics=FORMS[seed % 2], inertia=INERTIAS[seed // 2 % 2])
        state, given, names = random_state(system, seed), Inputs.of(system, seed), names_of(system)
        wanted = reference(names, compile_model(system), state, given)
        check(f"system {seed} by {model.symbolic}", model.equations(state), wanted, evaluated(model, names, state, given))


def test_every_quantity_is_among_those_compared() -> None:
    compared = {name.partition(":")[0].partition("@")[0] for name in (*RECORDED, *FLOATING_ONLY, *OF_SHORT_ARMS)}
    offered = {name for name in dir(derive(system_of(0))) if not name.startswith("_")}
    around = {"derivation", "implementation", "system", "symbols", "program", "quantity", "code", "closed_form"}
    assert offered - around == compared | OF_ONE_FORM


@pytest.mark.slow
@pytest.mark.parametrize("seeds", CHUNKS[:3], ids=lambda seeds: f"seeds {seeds.start}-{seeds.stop - 1}")
def test_recorded_dynamics_agree_with_pinocchio_and_mujoco(seeds: range) -> None:
    for seed in seeds:
        system = random_system(seed)
        state, given, fixed = random_state(system, seed), Inputs.of(system, seed), system.fixed
        model = compile_model(system, kinematics=FORMS[seed % 2])
        forward = "forward_dynamics" if fixed else "forward_dynamics:wrench"
        found = evaluated(model, ("M", forward, "inverse_dynamics"), state, given)
        for oracle in (PinocchioOracle(system), MujocoOracle(system)):
            udot = oracle.forward_dynamics(state, given.tau, None if fixed else given.wrench, ())
            wrench, tau = oracle.inverse_dynamics(state, given.udot)
            wanted = {"M": oracle.M(state), forward: udot, "inverse_dynamics.wrench": wrench, "inverse_dynamics.tau": tau}
            check(f"system {seed} against {type(oracle).__name__}", model.equations(state), wanted, found)


# Compiled models


def few(seed: int, joints: int, fixed: bool = False) -> System:
    return random_system(seed, joints=joints, fixed=fixed)


COMPILED = {
    **{f"floating N={n}": few(500 + n, n) for n in range(6)},
    **{f"floating N=4 again {s}": few(s, 4) for s in (521, 522)},
    **{f"fixed N={n}": few(510 + n, n, fixed=True) for n in (0, 1, 3, 5)},
    **{name: scmanip.load_system(f"model:{name}") for name in COUNTED},
}
WAYS = {f"{type(i).__name__} {type(k).__name__}": (i, k) for i in (Full(), Partial()) for k in FORMS}
some = pytest.mark.parametrize("system", COMPILED.values(), ids=COMPILED.keys())
ways = pytest.mark.parametrize(("implementation", "kinematics"), WAYS.values(), ids=WAYS.keys())
NEEDS = {"forward_dynamics": "tau", "inverse_dynamics": "udot", "floating_inverse_dynamics": "qddot"}
TOGETHER = ("H", "C", "J_star:tip", "momentum", *NEEDS)


def by_methods(model: Model, state: State, given: Inputs) -> dict[str, np.ndarray]:
    inverse, floating, momentum = (
        model.inverse_dynamics(state, given.udot),
        model.floating_inverse_dynamics(state, given.qddot),
        model.momentum(state),
    )
    return {
        "H": model.H(state),
        "C": model.C(state),
        "J_star:tip": model.J_star(state, "tip"),
        **{f"momentum.{part}": getattr(momentum, part) for part in ("P", "L_0", "L_C")},
        "forward_dynamics": model.forward_dynamics(state, given.tau),
        "inverse_dynamics.wrench": inverse.wrench,
        "inverse_dynamics.tau": inverse.tau,
        "floating_inverse_dynamics.base_acceleration": floating.base_acceleration,
        "floating_inverse_dynamics.tau": floating.tau,
    }


def by_kernel(model: Model, state: State, given: Inputs, *table: np.ndarray) -> dict[str, np.ndarray]:
    """Outputs of one kernel of several quantities, with the arguments of the contract."""
    wanted = reference(TOGETHER, model, state, given)
    if model.layout.fixed:
        del wanted["inverse_dynamics.wrench"]
    outs = {name: np.full(value.shape, np.nan) for name, value in wanted.items()}
    model.kernel(*TOGETHER)(*table, state.x, given.tau, given.udot, given.qddot, *outs.values())
    return outs


def by_batch(model: Model, states: State, given: Inputs) -> Iterator[dict[str, np.ndarray]]:
    """Outputs per case; every case has its own tau, and all share udot."""
    tau = np.outer(1 + np.arange(len(states)), given.tau)
    udot = model.batch.forward_dynamics(states, tau)
    inverse, H = model.batch.inverse_dynamics(states, given.udot), model.batch.H(states)
    for i in range(len(states)):
        found = {"H": H[i], "inverse_dynamics.wrench": inverse.wrench[i], "inverse_dynamics.tau": inverse.tau[i]}
        yield found | {"forward_dynamics": udot[i]}


@pytest.mark.battery(1, judged=12)
@ways
@some
def test_methods_and_a_kernel_agree_with_the_sums_of_the_paper(
    system: System, implementation: Full | Partial, kinematics: RotationForm
) -> None:
    model = compile_model(system, implementation=implementation, kinematics=kinematics)
    state, given, plain = random_state(system, 7), Inputs.of(system, 7), compile_model(system, implementation=Reference())
    wanted = reference(TOGETHER, plain, state, given)
    e = plain.equations(state)
    check(f"methods of {model}", e, wanted, by_methods(model, state, given))
    check(f"methods of {plain}", e, wanted, by_methods(plain, state, given))
    if system.fixed:
        del wanted["inverse_dynamics.wrench"]
    check(f"kernel of {model}", e, wanted, by_kernel(model, state, given))


@pytest.mark.battery(1, judged=12)
@ways
@some
def test_batches_of_every_number_of_lanes_agree_with_the_sums_of_the_paper(
    system: System, implementation: Full | Partial, kinematics: RotationForm
) -> None:
    model = compile_model(system, implementation=implementation, kinematics=kinematics)
    cases, given = [random_state(system, seed) for seed in range(17)], Inputs.of(system, 7)
    for n in (1, 7, 17):
        for i, found in enumerate(by_batch(model, State.stack(cases[:n]), given)):
            own = replace(given, tau=(1 + i) * given.tau)
            wanted = reference(("H", "inverse_dynamics", "forward_dynamics"), model, cases[i], own)
            check(f"case {i} of {n} of {model}", model.equations(cases[i]), wanted, found)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["floating N=4", "fixed N=3", "floating N=0"])
def test_without_llvmlite_a_model_gives_the_same_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError("no llvmlite here")

    monkeypatch.setattr(_compiled_program, "host", missing)
    system = COMPILED[name]
    cases, given = [random_state(system, seed) for seed in range(7)], Inputs.of(system, 7)
    for inertia in INERTIAS:
        model = compile_model(system, inertia=inertia)
        e, wanted = model.equations(cases[0]), reference(TOGETHER, model, cases[0], given)
        check(f"methods of {model} by NumPy", e, wanted, by_methods(model, cases[0], given))
        if system.fixed:
            del wanted["inverse_dynamics.wrench"]
        table = [inertia_table(system)] if inertia == RunTimeInertia() else []
        check(f"kernel of {model} by NumPy", e, wanted, by_kernel(model, cases[0], given, *table))
        for i, found in enumerate(by_batch(model, State.stack(cases), given)):
            own = replace(given, tau=(1 + i) * given.tau)
            wanted = reference(("H", "inverse_dynamics", "forward_dynamics"), model, cases[i], own)
            check(f"case {i} of {model} by NumPy", model.equations(cases[i]), wanted, found)


# Other hardware of the same geometry


def other_hardware(system: System, seed: int) -> System:
    """Return the same skeleton with other masses, centres of mass and inertias, some of them zero."""
    rng = np.random.default_rng(seed)
    bodies = []
    for number, body in enumerate(system.bodies):
        light = number % 3 == 1 and any(b.parent == body.name and b.joint.dof for b in system.bodies[1:])
        half = rng.normal(size=(3, 3)) * (0.0 if light else 0.5)
        inertia = half @ half.T
        inertia = np.trace(inertia) * np.eye(3) - inertia
        mass = 0.0 if light else rng.uniform(1, 20)
        bodies.append(replace(body, mass_kg=mass, com_m=rng.normal(size=3) * 0.3, inertia_kg_m2=inertia))
    return System("other", bodies[0], bodies[1:], system.frames, fixed=system.fixed, gravity_m_s2=system.gravity_m_s2)


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("implementation", [Full(), Partial(), Reference()], ids=["Full", "Partial", "Reference"])
@pytest.mark.parametrize("name", ["floating N=4", "floating N=2", "fixed N=3", "floating N=0"])
def test_a_model_with_the_inertia_of_other_hardware_equals_a_fresh_one(
    name: str, implementation: Full | Partial | Reference
) -> None:
    system = COMPILED[name]
    model = compile_model(system, implementation=implementation, inertia=RunTimeInertia())
    state, given = random_state(system, 3), Inputs.of(system, 3)
    by_methods(model, state, given)
    for seed in (1, 2):
        other = other_hardware(system, seed)
        changed, fresh = model.with_inertia_of(other), compile_model(other)
        wanted = reference(TOGETHER, fresh, state, given)
        check(f"{name} with other inertia", fresh.equations(state), wanted, by_methods(changed, state, given))
        assert changed.system is other
        assert_array_equal(changed.equations(state).M, fresh.equations(state).M)
        for body in other.bodies:
            moved = {f"position:{body.name}.com": changed.position(state, f"{body.name}.com")}
            check(name, fresh.equations(state), reference(moved, fresh, state, given), moved)
    check(name, model.equations(state), reference(TOGETHER, model, state, given), by_methods(model, state, given))


@pytest.mark.slow
def test_other_hardware_needs_no_new_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    system = COMPILED["floating N=4"]
    model = compile_model(system, inertia=RunTimeInertia())
    state, given = random_state(system, 3), Inputs.of(system, 3)
    by_methods(model, state, given)

    def refusing(program: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(_programs, "compile_program", refusing)
    by_methods(model.with_inertia_of(other_hardware(system, 1)), state, given)


@pytest.mark.slow
def test_models_of_systems_that_say_the_same_share_programs_while_one_of_them_lives() -> None:
    system = COMPILED["floating N=4"]
    model, again = compile_model(system), compile_model(replica(system))
    assert again.family is model.family
    assert compile_model(system, inertia=RunTimeInertia()).family is not model.family
    assert compile_model(system, implementation=Partial()).family is not model.family
    assert compile_model(moved(system, 1, origin_m=[0, 0, 1e-9])).family is not model.family
    gone = weakref.ref(model.family)
    del model, again
    gc.collect()
    assert gone() is None


def replica(system: System) -> System:
    """Return an equal system that shares no object with it."""
    return cast(System, pickle.loads(pickle.dumps(system)))


def moved(system: System, number: int, **changes: object) -> System:
    """Return the system with the joint of one body changed."""
    bodies = list(system.bodies)
    bodies[number] = replace(bodies[number], joint=replace(bodies[number].joint, **changes))
    return System("moved", bodies[0], bodies[1:], system.frames, fixed=system.fixed, gravity_m_s2=system.gravity_m_s2)


def test_hardware_of_another_geometry_is_refused() -> None:
    link = Body("link", 5.0, [1, 2, 2], [0.5, 0, 0], "base", Joint("shoulder", "revolute"))
    hand = Body("hand", 2.0, [1, 1, 1], [0.2, 0, 0], "link", Joint("wrist", "revolute", [0, 1, 0], [1, 0, 0]))
    tip = Frame("tip", "hand", [0.4, 0, 0])
    base = Body("base", 50.0, [10, 20, 30])
    system = System("arm", base, [link, hand], [tip])
    model = compile_model(system, inertia=RunTimeInertia())
    turned = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    strangers = [
        moved(system, 1, origin_m=[0, 0, 1e-9]),
        moved(system, 1, dcm=turned),
        moved(system, 2, axis=[0, 0, 1]),
        moved(system, 2, type="prismatic"),
        moved(system, 1, stiffness=1.0),
        moved(system, 1, damping=1.0),
        moved(system, 2, child_origin_m=[0.1, 0, 0]),
        System("frame elsewhere", base, [link, hand], [replace(tip, origin_m=[0.5, 0, 0])]),
        System("frame turned", base, [link, hand], [replace(tip, dcm=turned)]),
        System("frame on another body", base, [link, hand], [replace(tip, body="link")]),
        System("no frame", base, [link, hand]),
        System("another parent", base, [link, replace(hand, parent="base")], [tip]),
        System("another name", base, [replace(link, name="rod"), replace(hand, parent="rod")], [tip]),
        System("one more", base, [link, hand, replace(hand, name="thumb", joint=Joint("thumb", "fixed"))], [tip]),
        System("one less", base, [link], [replace(tip, body="link")]),
        System("fixed", base, [link, hand], [tip], fixed=True),
    ]
    for stranger in strangers:
        with pytest.raises(InvalidInput, match="same bodies, joints and placements"):
            model.with_inertia_of(stranger)
    model.with_inertia_of(System("heavier", replace(base, mass_kg=60.0), [link, hand], [tip]))
    with pytest.raises(InvalidInput, match="RunTimeInertia"):
        compile_model(system).with_inertia_of(system)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["floating N=4", "fixed N=3"])
def test_each_case_of_a_batch_may_have_its_own_inertia(name: str) -> None:
    system = COMPILED[name]
    model = compile_model(system, inertia=RunTimeInertia())
    hardware = [other_hardware(system, seed) for seed in range(11)]
    states, given = [random_state(system, seed) for seed in range(11)], Inputs.of(system, 3)
    tables = np.stack([inertia_table(other) for other in hardware])
    batch = model.batch.with_inertia(tables)
    udot, J_star = batch.forward_dynamics(State.stack(states), given.tau), batch.J_star(State.stack(states), "tip")
    some = np.array([9, 2, 2])
    assert_array_equal(batch.some(some).J_star(State.stack([states[k] for k in some]), "tip"), J_star[some])
    forward, jacobian = model.kernel("forward_dynamics"), model.kernel("J_star:tip")
    for i, (other, state) in enumerate(zip(hardware, states, strict=True)):
        fresh = compile_model(other, implementation=Reference())
        wanted = reference(("forward_dynamics", "J_star:tip"), fresh, state, given)
        e = fresh.equations(state)
        check(f"case {i} of {name}", e, wanted, {"forward_dynamics": udot[i], "J_star:tip": J_star[i]})
        outs = {key: np.empty(value.shape) for key, value in wanted.items()}
        forward(tables[i], state.x, given.tau, outs["forward_dynamics"])
        jacobian(tables[i], state.x, outs["J_star:tip"])
        check(f"kernel with table {i} of {name}", e, wanted, outs)


def test_tables_of_inertia_that_do_not_fit_are_refused() -> None:
    system = COMPILED["floating N=2"]
    table = inertia_table(system)
    batch = compile_model(system, inertia=RunTimeInertia()).batch
    for wrong in (table, table[None, 1:], np.full((2, *table.shape), np.nan)):
        with pytest.raises(InvalidInput, match="table"):
            batch.with_inertia(wrong)
    two, three = State.stack([random_state(system, 1)] * 2), np.stack([table] * 3)
    with pytest.raises(InvalidInput):
        batch.with_inertia(three).H(two)
    for model in (compile_model(system), compile_model(system, implementation=Partial(), inertia=RunTimeInertia())):
        with pytest.raises(InvalidInput, match="RunTimeInertia"):
            model.batch.with_inertia(table[None])


# Threads


@pytest.mark.slow
@pytest.mark.parametrize("implementation", [Full(), Partial()], ids=["Full", "Partial"])
def test_threads_that_ask_a_fresh_model_at_once_get_right_answers_from_one_set_of_programs(
    implementation: Full | Partial, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, digests = COMPILED["floating N=4"], list[str]()

    def counting(program: Program) -> CompiledProgram:
        digests.append(program.digest)
        return compile_program(program)

    monkeypatch.setattr(_programs, "compile_program", counting)
    given, threads = Inputs.of(system, 3), 4
    model, start = compile_model(system, implementation=implementation), Barrier(threads)
    wanted = [reference(TOGETHER, model, random_state(system, seed), given) for seed in range(threads)]

    def ask(seed: int) -> list[dict[str, np.ndarray]]:
        state = random_state(system, seed)
        start.wait()
        return [by_methods(model, state, given) for _ in range(20)]

    with ThreadPoolExecutor(threads) as pool:
        answers = list(pool.map(ask, range(threads)))
    for seed, answer in enumerate(answers):
        for found in answer:
            check(f"thread {seed}", model.equations(random_state(system, seed)), wanted[seed], found)
    assert sorted(digests) == sorted(set(digests))


def test_threads_share_a_batch_and_change_no_bit() -> None:
    system = COMPILED["floating N=4"]
    model, rng = compile_model(system), np.random.default_rng(1)
    states = State.stack([random_state(system, seed) for seed in range(33)] * 100)
    tau = rng.normal(size=(len(states), 4))
    assert_array_equal(
        model.batch.forward_dynamics(states, tau, threads=3), model.batch.forward_dynamics(states, tau, threads=1)
    )

"""Numbers of a system that stay open are inputs of its programs, and change nothing but what they say."""

import numpy as np
import pytest

from scmanip import load_system
from scmanip.constraints import Weld
from scmanip.control import JointRegulator
from scmanip.dynamics import (
    DecouplingSpeeds,
    Full,
    JointRates,
    Partial,
    Reference,
    RunTimeInertia,
    change_speeds,
    compile_model,
    derive,
    inertia_table,
)
from scmanip.dynamics.programs._forms import recursive
from scmanip.errors import InvalidInput, InvalidSystem, SingularInertia
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.simulation import ensemble
from scmanip.system import Body, Joint, Motor, SpringDamper, State, System, Wheel
from tests.oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, FIRST_TREE, random_case, random_state
from tests.simulation.arms import two_joints

FIRSTS = (0, FIRST_TREE, FIRST_OF_ALL, FIRST_FOREST)


def equipped(seed):
    """A random system with a spring between two points, motors with rotors, and wheels where the base floats."""
    system, rng = random_case(FIRSTS[seed % 4] + seed), np.random.default_rng([seed, 2])
    carried = system.bodies[1 : system.trees[0].bodies.stop]
    turning = [body.joint.name for body in carried if body.joint.kind.motors]
    motors = [Motor(name, 5.0, gear_ratio=20.0, rotor_inertia_kg_m2=1e-3, coulomb_Nm=0.2) for name in turning[:2]]
    wheels = [] if system.fixed else [Wheel(f"w{k}", axis, 0.05 + 0.01 * k) for k, axis in enumerate(np.eye(3))]
    ends = [frame.name for frame in system.frames if system.tree_of(frame.body) == 0]
    springs = [SpringDamper("tie", ends[:2], *rng.uniform(1.0, 3.0, 3))] if len(ends) > 1 else []
    return System(
        system.name,
        system.base,
        system.bodies[1:],
        system.frames,
        fixed=system.fixed,
        gravity_m_s2=system.gravity_m_s2,
        springs=springs,
        actuators=[*(motors if seed % 3 == 0 else []), *wheels] if seed % 2 else [],
    )


def some(system, rng):
    """Some numbers of a system, whole or one component, each with another value that hardware can have."""
    values = {}
    for path, number in system.numbers().items():
        if rng.random() > 0.4:
            continue
        key, value = path.rpartition(".")[2], number.value
        if key in ("origin_m", "child_origin_m", "com_m", "gravity_m_s2"):
            changed = value + 0.3 * rng.normal(size=3)
        else:
            changed = np.where(value == 0, 0.0 if key == "inertia_kg_m2" else 0.4, value) * rng.uniform(0.6, 1.5)
        if number.shape == (3,) and rng.random() < 0.3:
            k = int(rng.integers(3))
            values[f"{path}[{k}]"] = changed[k]
        else:
            values[path] = changed
    return values


def quantities(system):
    """Names of quantities; without accelerations where the generator has left a joint that moves no mass."""
    force = "forward_dynamics" if system.fixed else "forward_dynamics:wrench"
    base = [] if len(system.trees) > 1 else ["J_star:tip", "C"]
    names = ["M", "H", "inverse_dynamics", "momentum", "springs", "position:tip", *base]
    try:
        compile_model(system)
    except SingularInertia:
        return names
    return [*names, force]


def evaluated(symbolic, system, state, seed, form_of=None):
    """All quantities by their programs, of given forms or the cheapest, at the values that the numbers of a system have."""
    rng, layout = np.random.default_rng([seed, 3]), system.layout
    given = {"tau": rng.normal(size=layout.N), "udot": rng.normal(size=layout.n_u), "wrench": rng.normal(size=6)}
    given["x"] = np.concatenate([state.x, rng.normal(size=layout.n_a)])
    program = symbolic.derivation.packed_program(quantities(system), form_of)
    numbers = {name: system.numbers((name,))[name].value for name in symbolic.symbols}
    table = {"inertia": inertia_table(system)}
    values = program.evaluate(*({**given, **numbers, **table}[item.name] for item in program.inputs))
    return dict(zip([output.name for output in program.outputs], values, strict=True))


@pytest.mark.battery(0, judged=25)
@pytest.mark.parametrize("seed", range(200))
def test_a_model_with_open_numbers_is_the_folded_one_of_the_same_hardware(seed):
    system, rng = equipped(seed), np.random.default_rng([seed, 4])
    values = some(system, rng)
    inertia = RunTimeInertia() if seed % 5 == 4 else None
    if inertia is not None:
        values = {path: value for path, value in values.items() if not path.startswith("body.")}
    state = random_state(system, seed)
    changed = system.with_numbers(values)
    opened, folded = derive(system, symbols=list(values), inertia=inertia), derive(changed)
    form_of = recursive if seed % 5 else None  # to count what all forms cost takes most of the time
    ours, theirs = (evaluated(symbolic, changed, state, seed, form_of) for symbolic in (opened, folded))
    base = slice(None) if any(name.startswith("forward") for name in theirs) else slice(0, 6)  # a joint that moves no mass
    cond = np.linalg.cond(theirs["M"][base, base]) if theirs["M"].size else 1.0
    for name, value in theirs.items():
        solved = name.startswith(("forward", "H", "J_star", "C"))
        limit = max(1e-12, 10 * cond * np.finfo(float).eps) if solved else 1e-12
        np.testing.assert_allclose(ours[name], value, rtol=0, atol=limit * max(abs(value).max(initial=0.0), 1e-9), err_msg=name)


LINKS = "body.link2.mass_kg", "joint.joint3.origin_m", "body.link3.inertia_kg_m2", "body.link2.com_m[0]"
OTHER = dict(zip(LINKS, [40.0, [2.0, 0.1, 0.2], [1.0, 12.0, 11.0, 0.1, 0.2, 0.3], 0.3], strict=True))


@pytest.fixture(scope="module")
def arm():
    return load_system("model:spatial_six_link")


@pytest.fixture(scope="module")
def model(arm):
    return compile_model(arm, symbols=LINKS)


@pytest.mark.slow
@pytest.mark.parametrize("implementation", [Full(), Partial(), Reference()], ids=repr)
def test_other_values_make_no_new_program(arm, model, implementation):
    if implementation != Full():
        model = compile_model(arm, symbols=LINKS, implementation=implementation)
    changed, fresh = model.with_values(OTHER), compile_model(arm.with_numbers(OTHER))
    state, tau = random_state(arm, 3), np.ones(6)
    assert changed.family is model.family
    assert changed.system.joints[2].origin_m.tolist() == OTHER["joint.joint3.origin_m"]
    for ours, theirs in [
        (changed.H(state), fresh.H(state)),
        (changed.J_star(state, "tip"), fresh.J_star(state, "tip")),
        (changed.forward_dynamics(state, tau), fresh.forward_dynamics(state, tau)),
    ]:
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * abs(theirs).max())


def test_a_batch_takes_one_value_per_case(arm, model):
    states = State.stack([random_state(arm, seed) for seed in range(3)])
    masses, lengths = [40.0, 22.45, 30.0], np.array([2.0, 0.1, 0.2])
    H = model.batch.H(states, values={"body.link2.mass_kg": masses, "joint.joint3.origin_m": lengths})
    for k, mass in enumerate(masses):
        alone = model.with_values({"body.link2.mass_kg": mass, "joint.joint3.origin_m": lengths})
        np.testing.assert_array_equal(H[k], alone.H(states[k]))


def test_open_numbers_come_first_by_their_paths_and_say_what_they_are(model):
    program = model.symbolic.derivation.packed_program(["H"])
    assert [item.name for item in program.inputs] == [*model.symbols, "x"]
    assert set(model.symbols) == set(LINKS)
    number = model.symbols["body.link3.inertia_kg_m2"]
    assert (number.shape, number.unit) == ((6,), "kg_m2")
    out, values = np.empty((6, 6)), [number.value for number in model.symbols.values()]
    state = State.at_rest(model.system, np.full(6, 0.3))
    model.kernel("H")(*values, state.x, out)
    np.testing.assert_array_equal(out, model.H(state))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("joint.joint1.axis", "never stay open"),
        ("joint.*.dcm", "never stay open"),
        ("joint.joint1.lower_rad", "limits of joints"),
        ("body.link2.mas_kg", "did you mean 'mass_kg'"),
        ("body.link9.mass_kg", "did you mean 'body.link1.mass_kg'|did you mean 'body.link6.mass_kg'"),
        ("wheel.*.inertia_kg_m2", "begins with one of body, joint, frame"),
        ("body.link2.mass_kg[0]", "which is one number"),
        ("body.link2.com_m[3]", r"body.link2.com_m\[0\] to body.link2.com_m\[2\]"),
        ("gravity_m_s2", "where the base is held"),
        ("body.link2", "body.NAME.KEY"),
    ],
)
def test_what_never_opens_is_refused_by_name(arm, path, words):
    with pytest.raises(InvalidInput, match=words):
        derive(arm, symbols=[path])


def test_values_that_do_not_fit_are_refused(arm, model):
    with pytest.raises(InvalidInput, match=r"did you mean 'body\.link2\.mass_kg'"):
        model.with_values({"body.link2.mass": 1.0})
    with pytest.raises(InvalidInput, match="shape"):
        model.with_values({"joint.joint3.origin_m": 1.0})
    with pytest.raises(InvalidSystem, match="a number >= 0"):
        model.with_values({"body.link2.mass_kg": -1.0})
    states = State.stack([random_state(arm, seed) for seed in range(3)])
    with pytest.raises(InvalidInput, match="one for each of 3 states"):
        model.batch.H(states, values={"body.link2.mass_kg": [1.0, 2.0]})
    with pytest.raises(InvalidInput, match="none is open"):
        compile_model(arm).batch.H(states, values={"body.link2.mass_kg": [1.0, 2.0, 3.0]})
    with pytest.raises(InvalidInput, match="paths of numbers in a sequence"):
        derive(arm, symbols="body.link2.mass_kg")
    with pytest.raises(InvalidInput, match="RunTimeInertia"):
        derive(arm, inertia=RunTimeInertia(), symbols=["body.*.mass_kg"])


@pytest.mark.slow
def test_what_carries_a_weld_has_open_numbers_too():
    arm = load_system("model:planar_four_link")
    target = Body("target", 20.0, [2.0, 3.0, 4.0], [0.1, 0.0, 0.0], "ground", Joint("target", "free"))
    grasp = Weld("grasp", (arm.bodies[-1].name, "target"), tolerance_m=1e3, tolerance_rad=4.0)
    system = System("stack", arm.base, [*arm.bodies[1:], target], arm.frames, constraints=[grasp])
    values = {"body.target.mass_kg": 35.0, "joint.joint2.origin_m[0]": 0.9, f"body.{arm.bodies[1].name}.com_m[0]": 0.2}
    state = random_state(system, 5)
    ours = compile_model(system, symbols=list(values)).with_values(values).carrying(["grasp"], state)
    theirs = compile_model(system.with_numbers(values)).carrying(["grasp"], state)
    assert "joint.joint2.origin_m[0]" in ours.symbols
    np.testing.assert_allclose(ours.H0(state), theirs.H0(state), rtol=0, atol=1e-12 * abs(theirs.H0(state)).max())


def test_an_asterisk_stands_for_names_and_a_whole_number_for_its_components(arm):
    every = derive(arm, symbols=["*.mass_kg", "body.link*.com_m", "body.link2.com_m[1]"]).symbols
    assert sum(path.endswith("mass_kg") for path in every) == len(arm.bodies)
    assert "body.link2.com_m" in every and "body.link2.com_m[1]" not in every and "body.base.com_m" not in every


def test_batches_of_composed_models_take_no_values(arm):
    partial = compile_model(arm, symbols=LINKS, implementation=Partial())
    states = State.stack([random_state(arm, seed) for seed in range(2)])
    with pytest.raises(InvalidInput, match="Full"):
        partial.batch.H(states, values={"body.link2.mass_kg": [1.0, 2.0]})


@pytest.mark.slow
@pytest.mark.parametrize("speeds", [JointRates(), DecouplingSpeeds()], ids=repr)
def test_generalized_speeds_know_open_numbers(speeds):
    arm = two_joints(stiffness=2.0)
    values = {"body.upper.com_m": [0.3, 0.1, 0.0], "joint.elbow.origin_m[0]": 0.8, "joint.shoulder.stiffness_Nm_rad": 3.0}
    state, tau = random_state(arm, 3), np.array([0.3, -0.2])
    nominal = change_speeds(compile_model(arm, symbols=list(values)), speeds)
    made = nominal.program("forward_dynamics")
    ours, theirs = nominal.with_values(values), change_speeds(compile_model(arm.with_numbers(values)), speeds)
    assert [item.name for item in made.inputs][:3] == list(nominal.model.symbols)
    assert ours.program("forward_dynamics") is made
    for name, given in (("W", ()), ("M", ()), ("bias", ()), ("forward_dynamics", (tau,))):
        one, other = (getattr(each, name)(state, *given) for each in (ours, theirs))
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * abs(other).max(), err_msg=name)


@pytest.mark.parametrize(
    ("path", "cases", "word"),
    [
        ("body.link2.mass_kg", [1.0, -2.0], "-2"),
        ("body.link3.inertia_kg_m2", [[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 2.0, 0.0, 0.0]], "principal moment -1"),
    ],
)
def test_numbers_of_many_cases_that_no_hardware_has_are_refused(arm, model, path, cases, word):
    states = State.stack([State.at_rest(arm, [0.1] * 6)] * 2)
    with pytest.raises(InvalidSystem, match=word):
        model.batch.H(states, values={path: np.array(cases)})
    with pytest.raises(InvalidSystem, match=word):
        ensemble(
            Plant(model, Floating()),
            JointRegulator(model, K_P=1.0, K_D=1.0),
            State.at_rest(arm, [0.1] * 6),
            reference=Hold(np.zeros(6)),
            t_end_s=1.0,
            step_s=0.5,
            parameters={f"system.{path}": cases},
        )

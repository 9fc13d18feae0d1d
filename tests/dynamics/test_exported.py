"""Quantities as code of other languages: the numbers of the model, and every argument said in the header."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.command._derive import all_quantities
from scmanip.control import ComputedTorque, Delayed, ResolvedRate, Sampled, Saturated, WithFeedforward, program_of
from scmanip.dynamics import RunTimeInertia, compile_model, derive
from scmanip.errors import InvalidInput
from scmanip.export import code
from scmanip.guidance import JointReference, PoseReference
from scmanip.system import Body, Frame, Joint, State, System, load_system, with_unit_quaternions

from ..export import runs
from ..oracles.random_systems import FIRST_FOREST, FIRST_TREE, random_case
from .wheels import with_wheels

HOSTILE = "*/ evil();"
GRADIENTS = ("dH_dq", "dH0_dq", "dH0m_dq", "dHm_dq", "coriolis_matrix")  # which are long


def two_links(name="arm", frame="tip"):
    inertia = np.diag([1.0, 2.0, 3.0])
    base, upper = (
        Body("base", 50.0, 20 * inertia),
        Body("upper", 3.0, inertia, [0.5, 0, 0], parent="base", joint=Joint(name, "revolute", [0, 0, 1])),
    )
    slide = Joint("slide", "prismatic", [1, 0, 0], origin_m=[1.0, 0, 0])
    lower = Body("lower", 2.0, inertia, [0.4, 0, 0], parent="upper", joint=slide)
    return System("small", base, [upper, lower], [Frame(frame, "lower", [1.0, 0, 0])])


def passes(written, folder):
    """Whether C passes its own test, which fails with what it says."""
    written.save(folder)
    return runs.c_self_test(written, folder, flags=("-O0",)).endswith(" 0 wrong numbers\n")


def test_c_of_several_quantities_tests_itself(tmp_path):
    symbolic = derive(two_links())
    assert passes(symbolic.code("c", "H", "J_star:tip", "momentum"), tmp_path)


def test_the_header_says_shape_unit_and_order_of_every_argument():
    header = derive(two_links()).code("c", "H", "inverse_dynamics", name="both").files["both.h"]
    said = " ".join(header.replace("\n *", "").split())
    assert "q, in, shape (2,): coordinates: arm [rad], slide [m]" in said
    assert (
        "udot, in, shape (8,): accelerations: of v_0 (3) [m/s^2], of omega_0 (3) [rad/s^2], arm [rad/s^2], slide [m/s^2]"
        in said
    )
    assert "H, out, shape (2, 2): Generalized inertia" in said
    assert "inverse_dynamics_tau = inverse_dynamics.tau, out, shape (2,): forces of joints: arm [N m], slide [N]" in said
    order = re.findall(r"double (\w+)\[", header)
    assert order == ["q", "qdot", "omega_0", "udot", "H", "inverse_dynamics_wrench", "inverse_dynamics_tau"]


def test_open_numbers_are_arguments_with_their_paths_units_and_values(tmp_path):
    symbolic = derive(two_links(), symbols=["body.upper.mass_kg", "joint.slide.origin_m", "body.lower.inertia_kg_m2"])
    written = symbolic.code("c", "H", name="open")
    assert passes(written, tmp_path)
    header = written.files["open.h"]
    said = " ".join(header.replace("\n *", "").split())
    assert "body_upper_mass_kg = body.upper.mass_kg, in, shape (): [kg], nominally 3.0" in said
    assert "joint_slide_origin_m = joint.slide.origin_m, in, shape (3,): [m], nominally [1.0, 0.0, 0.0]" in said
    assert re.findall(r"double (\w+)", header) == [
        "body_upper_mass_kg", "body_lower_inertia_kg_m2", "joint_slide_origin_m", "q", "H",
    ]  # fmt: skip


def test_open_numbers_of_hostile_names_are_told_by_where_they_stand(tmp_path):
    base, *bodies = two_links().bodies
    lower = replace(bodies[1], name=HOSTILE)
    system = System("small", base, [bodies[0], lower], [])
    written = derive(system, symbols=["body.*.mass_kg"]).code("c", "Hm", name="open")
    assert passes(written, tmp_path)
    text = "\n".join(written.files.values())
    assert "evil" not in text
    assert re.search(r"value_\d, in, shape \(\): mass_kg of body number 3 \[kg\], nominally 2.0", text)


def test_a_function_is_called_after_system_and_quantity():
    symbolic = derive(two_links())
    assert symbolic.H.code("python").name == "small_H"
    assert list(symbolic.J_star("tip").code("matlab").files) == ["small_J_star_tip.m", "small_J_star_tip_test.m"]
    assert symbolic.inverse_dynamics.tau.code("rust", name="tau").name == "tau"


@pytest.mark.parametrize("language", ["c", "matlab", "python", "rust"])
def test_hostile_names_of_bodies_and_frames_never_reach_the_code(language):
    symbolic = derive(two_links(HOSTILE, HOSTILE))
    written = symbolic.code(language, f"J_star:{HOSTILE}", f"position:{HOSTILE}", "inverse_dynamics")
    text = "\n".join([*written.files, *written.files.values()])
    assert not re.search(r"evil|\*/[^\n]", text)
    assert re.search(r"number 1\s*(\*|%|//)?\s*\[rad\], slide \[m\]", text)


def test_code_of_a_model_takes_packed_states(tmp_path):
    model = compile_model(two_links())
    written = model.code("python", "forward_dynamics:wrench", "J_star:tip", name="step")
    written.save(tmp_path)
    rng = np.random.default_rng(0)
    x = with_unit_quaternions(rng.normal(size=(5, model.layout.n_x)), model.layout.x_quaternions)
    tau, wrench = rng.normal(size=(5, 2)), rng.normal(size=(5, 6))
    found, jacobian = runs.python(written, None, [x, tau, wrench], tmp_path)
    for k in range(5):
        state = State.unpack(x[k], model.layout)
        udot = model.forward_dynamics(state, tau[k], wrench[k])
        assert_allclose(found[k], udot, rtol=0, atol=1e-12 * abs(udot).max())
        assert_allclose(jacobian[k], model.J_star(state, "tip"), rtol=0, atol=1e-12)
    with pytest.raises(InvalidInput, match="code: expected one or more names of quantities, found none"):
        model.code("c")
    with pytest.raises(InvalidInput, match="code: expected every name once"):
        model.code("c", "H", "H")


CASES = {
    "planar_four_link": lambda: load_system("model:planar_four_link"),
    "stanford_arm": lambda: load_system("model:stanford_arm"),
    "wheels": lambda: with_wheels(8),
    "joints of all kinds": lambda: random_case(FIRST_TREE + 1),
    "free bodies": lambda: random_case(FIRST_FOREST + 1),
}


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("inertia", [None, RunTimeInertia()])
@pytest.mark.parametrize("case", CASES)
def test_every_quantity_leaves_as_c(case, inertia, tmp_path):
    system = CASES[case]()
    names = [quantity.name for quantity in all_quantities(derive(system, inertia=inertia)) if quantity.name not in GRADIENTS]
    assert passes(derive(system, inertia=inertia).code("c", *names, name="everything"), tmp_path)


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("language", ["matlab", "python", "rust"])
@pytest.mark.parametrize("case", ["planar_four_link", "joints of all kinds"])
def test_every_quantity_tests_itself_in_every_language(language, case, tmp_path):
    symbolic = derive(CASES[case]())
    names = [quantity.name for quantity in all_quantities(symbolic)]
    written = symbolic.code(language, *names, name="everything")
    written.save(tmp_path)
    assert runs.self_test(language, written, tmp_path) == "everything: 20 states, 0 wrong numbers\n"


@pytest.fixture(scope="module")
def bench():
    return compile_model(load_system("model:bench_6r"))


def random_states(model, count, seed=0):
    rng = np.random.default_rng(seed)
    return with_unit_quaternions(rng.normal(size=(count, model.layout.n_x)), model.layout.x_quaternions)


def agrees(found, expected, tolerance=1e-12):
    """Whether states (n, m) agree; tolerance : of the largest entry, one or (n,)."""
    errors, largest = np.abs(found - expected).max(axis=1), np.abs(expected).max(axis=1)
    assert (errors <= tolerance * largest).all(), (errors / largest).max()


COUNTS = {"c": 10_000, "matlab": 100, "python": 10_000, "rust": 10_000}
every_language = pytest.mark.parametrize("language", COUNTS)


@pytest.mark.slow
@every_language
def test_forward_dynamics_of_six_joints_are_those_of_the_model(language, bench, tmp_path):
    x = random_states(bench, COUNTS[language])
    tau = np.random.default_rng(1).normal(size=(len(x), 6))
    written = bench.code(language, "forward_dynamics", name="step")
    written.save(tmp_path)
    program = bench.symbolic.derivation.packed_program(["forward_dynamics"])
    (found,) = runs.RUN[language](written, program, [x, tau], tmp_path)
    agrees(found, bench.batch.forward_dynamics(State.renormalised(x, bench.layout), tau))


@pytest.mark.slow
@every_language
def test_computed_torque_of_six_joints_is_that_of_the_law(language, bench, tmp_path):
    x, law = random_states(bench, COUNTS[language]), ComputedTorque(bench, K_P=2.0, K_D=3.0)
    wanted = np.random.default_rng(2).normal(size=(3, len(x), 6))
    program = program_of(law)
    written = code(program, language, name="law", examples={"x": x[:40]})
    written.save(tmp_path)
    (found,) = runs.RUN[language](written, program, [x, *wanted], tmp_path)
    samples = [JointReference(*sample) for sample in wanted.swapaxes(0, 1)]
    agrees(found, commands(law, bench, x, samples))


@pytest.mark.slow
def test_a_sampled_controller_that_leads_a_frame_leaves_as_c(bench, tmp_path):
    led = ResolvedRate(WithFeedforward(ComputedTorque(bench, K_P=0.0, K_D=2.0)), K=0.7)
    x, told = random_states(bench, 10_000), random_poses(10_000)
    samples = [PoseReference("tip", *sample) for sample in zip(*told, strict=True)]
    program = program_of(Sampled(led, rate_Hz=10.0), sample=samples[0])
    written = code(program, "c", name="law", examples={"x": x[:40], "attitude_xyzw": told[1][:40]})
    written.save(tmp_path)
    (found,) = runs.c(written, program, [x, *told], tmp_path)
    agrees(found, *program.evaluate(x, *told), of_resolution(bench, x))
    agrees(found, commands(led, bench, x, samples), of_resolution(bench, x))


@pytest.mark.slow
def test_what_a_controller_remembers_leaves_as_c(bench, tmp_path):
    led = ResolvedRate(WithFeedforward(ComputedTorque(bench, K_P=0.0, K_D=2.0)), K=0.7)
    law = Sampled(Saturated(Delayed(led, delay_s=0.15), 50.0), rate_Hz=10.0)
    x, told = random_states(bench, 1000), random_poses(1000)
    program = program_of(law, sample=PoseReference("tip", *(array[0] for array in told)))
    memory = 1 + np.random.default_rng(4).uniform(size=(len(x), *program.inputs[-1].shape)) * 9
    written = code(program, "c", name="law", examples={"x": x[:40], "attitude_xyzw": told[1][:40]})
    written.save(tmp_path)
    found = runs.c(written, program, [x, *told, memory], tmp_path)
    for array, own in zip(found, program.evaluate(x, *told, memory), strict=True):
        agrees(array, own, of_resolution(bench, x))


def of_resolution(model, x):
    """Return the tolerance (n,) of what is solved with J* J*', whose condition is that of J* squared; 6 of 10,000 need it."""
    cond = np.linalg.cond(model.batch.J_star(State.renormalised(x, model.layout), "tip"))
    return np.maximum(1e-12, 10 * cond**2 * np.finfo(float).eps)


def random_poses(count):
    """Return place, attitude, twist and its rate of a frame."""
    rng = np.random.default_rng(3)
    attitude = with_unit_quaternions(rng.normal(size=(count, 4)), [0])
    return [rng.normal(size=(count, 3)), attitude, rng.normal(size=(count, 6)), rng.normal(size=(count, 6))]


def commands(law, model, x, samples):
    """Return what a law says in packed states."""
    states = [State.unpack(row, model.layout) for row in x]
    return np.array([law.command(0.0, *pair, law.start(pair[0]))[0] for pair in zip(states, samples, strict=True)])

"""Fly what the papers fly and draw it as they do: `python docs/make_paper_figures.py`."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from scmanip import compile_model, load_mission, load_system, simulate
from scmanip.constraints import KnifeEdge, Lock
from scmanip.impacts import Newton
from scmanip.modes import FixedBase
from scmanip.scene import scene_of
from scmanip.shapes import Plane, Sphere
from scmanip.simulation import History, RigidContact, Switch
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Frame, Joint, State, System

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs/figures"


def flown(mission: str) -> History:
    """Return the run of a mission that comes with the package."""
    return load_mission(ROOT / f"missions/{mission}.toml").run().history


def store(name: str, figure: Figure) -> None:
    """Write a figure, small."""
    made = io.BytesIO()
    figure.savefig(made, format="png", dpi=100)
    plt.close(figure)
    Image.open(made).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(FIGURES / f"{name}.png", optimize=True)


def rolling() -> Figure:
    """Draw the disk of [Gillespie2003] Figure 1, thrown down its slope without spin, until it rolls."""
    phi, m, J, r, g = 0.4, 2.0, 0.09, 0.3, 9.81
    slope = dcm_from_axis_angle(np.array([0.0, 0, 1]), phi)
    upwards = slope @ dcm_from_axis_angle(np.array([1.0, 0, 0]), -np.pi / 2)
    disk = Body("disk", m, [J / 2, J / 2, J], parent="base", joint=Joint("way", "planar", dcm=slope))
    shapes = [Sphere("rim", "disk", r), Plane("slope", "ground", dcm=upwards)]
    system = System("thrown", Body("base", 0, [0, 0, 0]), [disk], fixed=True, gravity_m_s2=[0, -g, 0], shapes=shapes)
    run = simulate(
        compile_model(system),
        FixedBase(),
        lambda t, state: np.zeros(3),
        State(q=[0, r, 0], qdot=[-2.0, 0, 0]),
        t_end_s=1.0,
        output_step_s=0.01,
        rtol=1e-10,
        contacts=[RigidContact("slope", "rim", Newton(0.0), friction=0.3)],
    )
    figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    axes.plot(run.t, run.qdot[:, 0], label="$u_1$, along the slope")
    axes.plot(run.t, r * run.qdot[:, 2], label="$u_2 = r \\dot q_2$")
    axes.axvline(run.switches[-1].t, color="0.6", ls=":", label="rolls from here on: $u_1 + u_2 = 0$")
    axes.set(xlabel="time [s]", ylabel="speed [m/s]")
    axes.grid(True)
    axes.legend()
    return figure


def cart() -> Figure:
    """Draw the way of the cart of [Gillespie2003] Figure 4, whose caster sticks after two seconds."""
    B = Body("B", 12.0, [0, 0, 0.8], [0.4, 0, 0], "base", Joint("floor", "planar"))
    C = Body("C", 3.0, [0, 0, 0], [-0.2, 0, 0], "B", Joint("caster", "revolute", [0, 0, 1], [0.9, 0, 0]))
    rows = [KnifeEdge("rear", frame="B", blocked_axis=[0, 1, 0]), KnifeEdge("front", frame="C.com", blocked_axis=[0, 1, 0])]
    base = Body("base", 0, [0, 0, 0])
    system = System("cart", base, [B, C], [Frame("handle", "B")], fixed=True, constraints=[*rows, Lock("sticks", "caster")])
    model = compile_model(system)
    start = model.constrained("rear", "front").imposed(State(q=[0, 0, 0, 0.9], qdot=[0.8, 0, 0.3, 0])).state
    switches = [Switch(t_s=0.0, impose=("rear", "front")), Switch(t_s=1.5, impose="sticks")]
    none = lambda t, state: np.zeros(4)  # noqa: E731
    run = simulate(model, FixedBase(), none, start, switches=switches, t_end_s=6.0, output_step_s=0.02)
    figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    for free, text in ((run.t <= 1.5, "caster free"), (run.t >= 1.5, "caster sticks: a circle")):
        axes.plot(*run.q[free, :2].T, label=text)
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.grid(True)
    axes.legend()
    return figure


def main() -> None:
    """Write all figures."""
    planar = flown("planar_four_link")
    store("wilde_joint_rates", planar.plot("joint_rates")["joint_rates"])
    store("wilde_angular_momentum", planar.plot("angular_momentum")["angular_momentum"])
    store("angeles_example1", flown("angeles_example1").plot("joint_forces")["joint_forces"])
    store("angeles_example2", flown("angeles_example2").plot("joint_forces")["joint_forces"])
    store("kane_figure1", flown("stanford_arm").plot("joint_forces")["joint_forces"])
    store("kane_figure3", flown("stanford_arm_regulator").plot("joint_angles")["joint_angles"])
    store("gillespie_disk", rolling())
    store("gillespie_cart", cart())
    scene_of(load_system("model:stoneking_tree")).shot(FIGURES / "stoneking_tree.png")


if __name__ == "__main__":
    main()

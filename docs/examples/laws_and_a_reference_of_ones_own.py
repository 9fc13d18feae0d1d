"""A law in Python, a law as equations and a motion of one's own in a mission: flown, stored, dispersed."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import norm

from scmanip import Mission, Study, load_mission
from scmanip.control import recorded
from scmanip.guidance import JointReference
from scmanip.study import dispersed


@dataclass
class Limp:
    """Springs and dampers at the joints, without a model. Any object with `command` is a law."""

    stiffness_Nm_rad: float
    damping_Nms_rad: float

    def command(self, t, state, reference, memory):
        """Return joint torques (N,) [N m] and what is remembered."""
        off = reference.q - state.q
        return self.stiffness_Nm_rad * off + self.damping_Nms_rad * (reference.qdot - state.qdot), memory


def stiffer(t, state, reference):
    """Return the torques of another law, in nothing but arithmetic: it can be recorded, and is flown in machine code."""
    return 9.0 * (reference.q - state.q) + 9.0 * (reference.qdot - state.qdot)


@dataclass
class Nod:
    """All joints go to `q_rad` and back. Any object with `at`, `corners_s` and `t_end_s` is a reference."""

    q_rad: tuple[float, ...]
    t_end_s: float
    corners_s: tuple[float, ...] = ()

    def at(self, t):
        """Return where the joints are to be, how fast, and how their rates are to change."""
        w, q = 2 * np.pi / self.t_end_s, np.array(self.q_rad) / 2
        if not 0 <= t <= self.t_end_s:
            return JointReference(0 * q, 0 * q, 0 * q)
        return JointReference(q * (1 - np.cos(w * t)), q * w * np.sin(w * t), q * w**2 * np.cos(w * t))


MISSION = """schema = "scmanip.mission/1"
name = "nod"
system = "model:planar_four_link"
initial = { q_rad = [0.0, 0.0, 0.0, 0.0] }
phase = [{ name = "nod", mode = "floating", controller = { type = "computed_torque" }, guidance = { type = "hold" }, \
  until = { t_s = 12.0 } }]
integration = { rtol = 1e-8, output_step_s = 0.1 }
"""
METRICS = {"base_rotation_deg": "max(degrees(base_rotation_rad))", "tracking_error_deg": "max(abs(degrees(joint_error_rad)))"}
CHANCE = {"system.body.*.mass_kg": dispersed(norm(1.0, 0.05), how="scale")}


def main() -> None:
    """Fly a mission with a motion of our own by each law."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "nod.toml").write_text(MISSION)
        mission = load_mission(folder / "nod.toml").with_guidance("nod", Nod((0.4, -0.3, 0.2, 0.1), 12.0))
        for word, law in {"Python": Limp(4.0, 4.0), "equations": recorded(stiffer, mission.model)}.items():
            fly(word, mission.with_controller("nod", law), folder / word)


def fly(word: str, mission: Mission, folder: Path) -> None:
    """Fly a mission with a law, read what is stored of it again, and disperse it."""
    run = mission.run()
    off = np.degrees(abs(run.history.error).max())
    print(f"{word}: {run.outcome}, off by {off:.2f} deg at most; {mission.resolved['phase'][0]['controller']['part']}")
    run.save(folder / "run")
    again = load_mission(folder / "run" / "mission.resolved.toml", own=mission.own).run()
    assert np.array_equal(again.history.q, run.history.q)
    study = Study(mission, seed=1, repeats=4, metrics=METRICS, dispersion=CHANCE)
    turned = study.run(folder / "study", executor="serial").table.metric("base_rotation_deg")
    print(f"  {len(turned)} arms: base rotation {turned.min():.3f} to {turned.max():.3f} deg")
    assert study.replay(3).row.metrics["base_rotation_deg"] == turned[3]


if __name__ == "__main__":
    main()

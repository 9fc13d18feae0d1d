"""Control moment gyros as a class of one's own: four of them hold the attitude of a planar arm's base in a mission."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scmanip import System, load_mission, load_system
from scmanip.actuators import Axis, Name, Positive, StateEntry, Turner
from scmanip.spatial import cos, sin


@dataclass(frozen=True, eq=False)
class Gyro(Turner):
    """A rotor of constant speed on a gimbal, whose angle is its state; formulas over any scalar run in machine code."""

    kind = "gyro"
    states = (StateEntry("angle", "rad"),)
    name: Name
    gimbal: Axis
    spin: Axis  # of the rotor at angle 0
    momentum_Nms: Positive

    def to(self, angle):
        """Return where the rotor's axis is (3,)."""
        return cos(angle) * self.spin + sin(angle) * np.cross(self.gimbal, self.spin)

    def momentum(self, state):
        """Return its momentum relative to the base (..., 3)."""
        return self.momentum_Nms * self.to(state)

    def axes(self, state):
        """Return along what it turns the base (1, 3)."""
        return self.to(state + np.pi / 2)[np.newaxis]

    def gains(self, state):
        """Return the momentum that a rate of its state gives (1,)."""
        return np.array([self.momentum_Nms])

    def twice_energy(self, state):
        """Return nothing: the rotor's energy is the same at all angles."""
        return 0.0 * state[..., 0]

    def efforts(self, state, rates, omega_0, omega_0_dot):
        """Return the torque of the gimbal's motor (1,)."""
        return -self.momentum_Nms * (self.axes(state) @ omega_0)

    def power(self, state, rates, omega_0, omega_0_dot):
        """Return that of both motors: the rotor's keeps its speed."""
        return omega_0_dot @ self.momentum(state)


MISSION = """schema = "scmanip.mission/1"
name = "held"
system = "model:planar_four_link"
initial = { q_rad = [0.2, -0.4, 0.3, 0.1] }
phase = [{ name = "slew", mode = "rotation_floating", controller = { type = "coordinated", base_K_P = 1.0, base_K_D = 2.0 }, \
  guidance = { type = "cycloid", q_rad = [0.5, 0.2, 0.3, 0.1], duration_s = 8.0 } }]
integration = { rtol = 1e-9, output_step_s = 0.1 }
"""


def main() -> None:
    """Give the published arm four gyros and fly its mission with them."""
    arm, tilt = load_system("model:planar_four_link"), (0.8, 0.6)
    around = [(tilt[0], 0, tilt[1]), (0, tilt[0], tilt[1]), (-tilt[0], 0, tilt[1]), (0, -tilt[0], tilt[1])]
    spins = [(0, 1, 0), (-1, 0, 0), (0, -1, 0), (1, 0, 0)]
    gyros = [Gyro(f"gyro{k + 1}", gimbal, spin, 40.0) for k, (gimbal, spin) in enumerate(zip(around, spins, strict=True))]
    system = System("arm with gyros", arm.bodies[0], arm.bodies[1:], arm.frames, actuators=gyros)
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "held.toml").write_text(MISSION)
        mission = load_mission(Path(place) / "held.toml", own={"system": system})
        run = mission.run()
        print(f"{mission.resolved['system']}: {run.outcome}, laws broken: {', '.join(run.broken_laws) or 'none'}")
        for verdict in run.verdicts:
            if verdict.name.startswith(("base_rotation", "gyro")):
                print(f"  {verdict.meaning}: {verdict.value:.3g} {verdict.unit} {verdict.where}")
        run.save(Path(place) / "results")
        again = load_mission(Path(place) / "results" / "mission.resolved.toml", own=mission.own).run()
    assert np.array_equal(again.history.gyro_angle, run.history.gyro_angle)
    print(f"  gimbals turn by up to {np.degrees(np.ptp(run.history.gyro_angle, axis=0).max()):.1f} deg")


if __name__ == "__main__":
    main()

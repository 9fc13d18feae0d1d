"""ETS-VII holds its attitude by wheels while its arm slews: how fast may both loops be at 10 Hz, and is that good enough?

From the linear system to margins over configurations, then to a mission flown with masses that nobody knows exactly.
"""

import tempfile
from pathlib import Path

import numpy as np
from scipy import stats

from scmanip import Plant, RotationFloating, State, compile_model, load_system
from scmanip.analysis import delay_map, linearisation, linearise, margins
from scmanip.campaign import Study
from scmanip.control import CoordinatedComputedTorque, Sampled
from scmanip.study import dispersed

MISSIONS = Path(__file__).parents[2] / "missions"
RATE_HZ, DELAY_S = 10.0, 0.1

# The plant: the base turns by its wheels, at rest with the arm stretched out.
system = load_system(MISSIONS / "systems" / "ets7_wheels.toml")
model, mode = compile_model(system), RotationFloating()
plant = Plant(model, mode)
state = plant.at_rest(State.at_rest(system, np.zeros(6)))
open_plant = linearisation(plant, state, np.zeros(12))
print(f"the plant has {len(open_plant.A)} states and rests: its rates are {abs(open_plant.rates).max():.1g} at most")


def law_of(arm_rad_s: float, base_rad_s: float) -> CoordinatedComputedTorque:
    """Return the law with which joints and base go to where they should be as oscillators with damping 0.7."""
    gains = {"K_P": arm_rad_s**2, "K_D": 1.4 * arm_rad_s, "base_K_P": base_rad_s**2, "base_K_D": 1.4 * base_rad_s}
    return CoordinatedComputedTorque(model, mode, **gains, feedforward=True)


# Poles of the loop that looks always are those of the gains.
poles = linearise(plant, state, np.zeros(12), controller=law_of(1.0, 0.2)).poles()
for wanted in (1.0, 0.2):
    nearest = min(poles, key=lambda pole: abs(pole - wanted * (-0.7 + 1j * np.sqrt(0.51))))
    print(f"a pole for {wanted:g} rad/s: {nearest:.4f}")

# Sampled and late it has margins, which are least somewhere among its configurations.
grid = {"joint2": np.linspace(-1.5, 1.5, 7), "joint3": np.linspace(-1.5, 1.5, 7)}
chosen = None
print("arm, base [rad/s]: phase margin, modulus margin at the worst of 49 configurations")
for arm_rad_s, base_rad_s in ((1.0, 0.2), (1.5, 0.3), (2.0, 0.4), (3.0, 0.6), (4.0, 0.8)):
    found = margins(plant, state, Sampled(law_of(arm_rad_s, base_rad_s), rate_Hz=RATE_HZ), delay_s=DELAY_S, grid=grid)
    phase, modulus = found.worst["phase_deg"], found.worst["modulus"]
    print(f"  {arm_rad_s:g}, {base_rad_s:g}: {abs(phase.value):.0f} deg of {phase.loop}, {modulus.value:.2f} of {modulus.loop}")
    if found.stable.all() and abs(phase.value) >= 30 and modulus.value >= 0.5:
        chosen = arm_rad_s, base_rad_s
assert chosen is not None
print(f"chosen: {chosen[0]:g} rad/s for the arm, {chosen[1]:g} rad/s for the base")

# How much more delay may it have?
late = delay_map(plant, state, Sampled(law_of(*chosen), rate_Hz=RATE_HZ), np.linspace(0.0, 1.0, 21), [1.0])
last = late.delays_s[late.stable[:, 0]].max()
print(f"stable with a delay of up to {last:g} s")
assert last > 2 * DELAY_S

# The mission with these gains, 12 times with masses that are off by 10 %, which the law does not know.
arm_rad_s, base_rad_s = chosen
slew = "phase.slew.controller."
settings = {"K_P": arm_rad_s**2, "K_D": 1.4 * arm_rad_s, "base_K_P": base_rad_s**2, "base_K_D": 1.4 * base_rad_s}
study = Study(
    MISSIONS / "ets7_wheels.toml",
    seed=1997,
    repeats=12,
    design={slew + key: [value] for key, value in {**settings, "rate_Hz": RATE_HZ}.items()},
    dispersion={"system.body.*.mass_kg": dispersed(stats.norm(1.0, 0.1), how="scale")},
    metrics={
        "base_rotation_deg": "max(degrees(base_rotation_rad))",
        "wheel_torque_Nm": "max(abs(wheel_torque_Nm))",
        "joint_error_deg": "max(abs(degrees(joint_error_rad)))",
    },
)
with tempfile.TemporaryDirectory() as folder:
    table = study.run(folder, executor="serial").table
for name in ("base_rotation_deg", "wheel_torque_Nm", "joint_error_deg"):
    values = table.metric(name)
    print(f"{name}: median {np.median(values):.3g}, largest {values.max():.3g}")
assert table.completed.all() and table.metric("base_rotation_deg").max() < 0.1

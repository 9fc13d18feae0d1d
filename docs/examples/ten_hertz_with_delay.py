"""A law looks ten times a second, and its torques come late: how much gain may it have? Runs on both sides of the answer."""

import numpy as np

from scmanip import Floating, Plant, State, compile_model, load_system, simulate
from scmanip.analysis import delay_map, margins
from scmanip.control import ComputedTorque, Delayed, Sampled
from scmanip.guidance import Hold

RATE_HZ = 10.0
system = load_system("model:planar_four_link")
model = compile_model(system)
plant = Plant(model, Floating())
state = State.at_rest(system, [0.3, -0.6, 0.8, -0.4])


def law_of(gain: float) -> ComputedTorque:
    """Return computed torque with so many times the usual gains."""
    return ComputedTorque(model, K_P=1.0 * gain, K_D=1.4 * gain)


# The largest pole from sample to sample, over delays and gains.
delays_s, gains = np.array([0.0, 0.1, 0.2, 0.3]), np.linspace(0.5, 20.0, 1951)
found = delay_map(plant, state, Sampled(law_of(1.0), rate_Hz=RATE_HZ), delays_s, gains, momenta="remove")


def left_after(gain: float, delay_s: float) -> float:
    """Return the error of a run's last quarter over that of its first."""
    law = Sampled(law_of(gain), rate_Hz=RATE_HZ)
    late = Delayed(law, delay_s=delay_s) if delay_s else law
    start = State.at_rest(system, state.q + np.array([1e-4, 0, 0, 0]))
    run = simulate(plant, late, start, reference=Hold(state.q), t_end_s=20.0, rtol=1e-9, output_step_s=0.1)
    off = abs(run.q - state.q).max(axis=1)
    return float(off[-50:].max() / off[20:70].max())


print("delay [s]: gain from which on it is not stable; error of a run below and above it, last over first seconds")
for delay_s, stable in zip(delays_s, found.stable, strict=True):
    edge = float(gains[~stable][0])
    below, above = left_after(0.96 * edge, delay_s), left_after(1.04 * edge, delay_s)
    print(f"  {delay_s:g}: {edge:.2f}; {below:.2g} and {above:.3g}")
    assert below < 1 < above

# Margins say the same at once, loop by loop with the others closed.
close = margins(plant, state, Sampled(law_of(1.0), rate_Hz=RATE_HZ), delay_s=0.1, momenta="remove")
for kind, worst in close.worst.items():
    print(
        f"with a delay of 0.1 s the least {kind} margin is {worst.value:.3g}, of {worst.loop} at {worst.omega_rad_s:.3g} rad/s"
    )

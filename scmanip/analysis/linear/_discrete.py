"""A linear system as a computer sees it: from sample to sample, its command late."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...spatial import Array
from ._linearisation import Linearisation
from ._small_motion import Kept

CLOSE = 1e-9  # of a period; a delay so close to whole periods is that


def sampled(linear: Linearisation, rate_Hz: float, delay_s: float) -> Linearisation:
    """Return it from sample to sample, exactly, under commands that are held and come `delay_s` late.

    A command of d + e periods ago, 0 <= e < 1, acts for the first part e of a period, the next one for the rest: the commands
    of the last periods are states behind the others, and behind those what a law remembers. A law `K` says at every sample
    what is added to the command.
    """
    A, B, K = opened(linear, rate_Hz, delay_s)
    change = np.zeros(0) if linear.kept is None else linear.kept.change
    stored = len(A) - len(linear.A) - len(change)
    C = np.hstack([linear.C, np.zeros((len(linear.C), stored + len(change)))])
    A, C = A + B @ K, C + linear.D @ K
    ages = range(1, 1 + stored // linear.B.shape[1]) if stored else ()
    units = {f"{name}[-{age}]": unit for age in ages for name, unit in linear.inputs.items()}
    units |= {f"law_{k}": "1" for k in range(1, 1 + len(change))}
    rates = np.concatenate([linear.rates, np.zeros(stored), rate_Hz * change])
    return replace(linear, A=A, B=B, C=C, K=None, kept=None, states=linear.states | units, rates=rates, rate_Hz=rate_Hz)


def opened(linear: Linearisation, rate_Hz: float, delay_s: float) -> tuple[Array, Array, Array]:
    """Return A and B from sample to sample with stored commands and a law's memory among the states, and K of what that says;
    zero without one.
    """
    A, B = late_loop(linear.A, linear.B, rate_Hz, delay_s)
    K = np.zeros_like(linear.B.T) if linear.K is None else linear.K
    return with_kept(A, B, K, linear.kept)


def with_kept(A: Array, B: Array, K: Array, kept: Kept | None) -> tuple[Array, Array, Array]:
    """Return A (..., m + s, m + s), B (..., m + s, k) and K (..., k, m) with a law's memory behind the s stored commands."""
    stored = A.shape[-1] - K.shape[-1]
    K = np.concatenate([K, np.zeros((*K.shape[:-1], stored))], axis=-1)
    if kept is None:
        return A, B, K
    lead, size, r = A.shape[:-2], A.shape[-1], kept.G.shape[-1]
    memory = np.concatenate([kept.F, np.zeros((*lead, r, stored)), kept.G], axis=-1)
    A = np.concatenate([np.concatenate([A, np.zeros((*lead, size, r))], axis=-1), memory], axis=-2)
    B = np.concatenate([B, np.zeros((*lead, r, B.shape[-1]))], axis=-2)
    return A, B, np.concatenate([K, kept.K], axis=-1)


def late_loop(A: Array, B: Array, rate_Hz: float, delay_s: float) -> tuple[Array, Array]:
    """Return A (..., m + s, m + s) and B (..., m + s, k) from sample to sample of A (..., m, m), B (..., m, k) and s stored
    commands, the latest first.
    """
    h = 1 / rate_Hz
    late, rest = _whole_periods(delay_s * rate_Hz)
    phi, gamma, before = _stretches(A, B, h, rest * h)
    return _with_delays(phi, [np.zeros_like(gamma)] * late + [gamma] + [before] * (rest > 0))


def _whole_periods(periods: float) -> tuple[int, float]:
    """Return a delay as whole periods and a part of one."""
    late = math.floor(periods + CLOSE)
    rest = periods - late
    return late, rest if rest > CLOSE else 0.0


def _stretches(A: Array, B: Array, h: float, late_s: float) -> tuple[Array, Array, Array]:
    """Return what a period h makes of the state (m, m), of a command that begins `late_s` late (m, k), and of that before."""
    phi, first = _held(A, B, late_s)
    rest, after = _held(A, B, h - late_s)
    return rest @ phi, after, rest @ first


def _held(A: Array, B: Array, h: float) -> tuple[Array, Array]:
    """Return exp(A h), and its integral times B; (..., m, m) and (..., m, k)."""
    from scipy.linalg import expm

    m, k = B.shape[-2:]
    whole = np.zeros((*A.shape[:-2], m + k, m + k))
    whole[..., :m, :m], whole[..., :m, m:] = h * A, h * B
    whole = expm(whole)
    return whole[..., :m, :m], whole[..., :m, m:]


def _with_delays(phi: Array, acting: list[Array]) -> tuple[Array, Array]:
    """Return A and B with stored commands; acting : (..., m, k) what commands do that are 0, 1, ... periods old."""
    m, k = acting[0].shape[-2:]
    lead, stored = phi.shape[:-2], len(acting) - 1
    size = m + stored * k
    A, B = np.zeros((*lead, size, size)), np.zeros((*lead, size, k))
    A[..., :m, :m], B[..., :m, :] = phi, acting[0]
    for age in range(1, stored + 1):
        A[..., :m, m + (age - 1) * k : m + age * k] = acting[age]
    if stored:
        B[..., m : m + k, :] = np.eye(k)
        A[..., m + k :, m : size - k] = np.eye(size - m - k)
    return A, B

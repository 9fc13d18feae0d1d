"""A linear system as a computer sees it: from sample to sample, its command late."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...spatial import Array
from ._linearisation import Linearisation

CLOSE = 1e-9  # of a period; a delay so close to whole periods is that


def sampled(linear: Linearisation, rate_Hz: float, delay_s: float) -> Linearisation:
    """Return it from sample to sample, exactly, under commands that are held and come `delay_s` late.

    A command of d + e periods ago, 0 <= e < 1, acts for the first part e of a period, the next one for the rest: the commands
    of the last periods are states behind the others. A law `K` says at every sample what is added to the command.
    """
    h = 1 / rate_Hz
    late, rest = _whole_periods(delay_s * rate_Hz)
    phi, gamma, before = _stretches(linear.A, linear.B, h, rest * h)
    A, B, names = _with_delays(phi, gamma, before, late, list(linear.inputs))
    stored = len(A) - len(phi)
    C = np.hstack([linear.C, np.zeros((len(linear.C), stored))])
    if linear.K is not None:
        K = np.hstack([linear.K, np.zeros((len(linear.K), stored))])
        A, C = A + B @ K, C + linear.D @ K
    units = dict(zip(names, [*linear.inputs.values()] * (stored // linear.B.shape[1]), strict=True))
    rates = np.concatenate([linear.rates, np.zeros(stored)])
    return replace(linear, A=A, B=B, C=C, K=None, states=linear.states | units, rates=rates, rate_Hz=rate_Hz)


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
    """Return exp(A h), and its integral times B."""
    from scipy.linalg import expm

    m, k = B.shape
    whole = expm(h * np.block([[A, B], [np.zeros((k, m + k))]]))
    return whole[:m, :m], whole[:m, m:]


def _with_delays(phi: Array, gamma: Array, before: Array, late: int, inputs: list[str]) -> tuple[Array, Array, list[str]]:
    """Return A, B and the names of stored commands, latest first; gamma, before : of commands late and late + 1 periods old."""
    m, k = gamma.shape
    acting = [np.zeros_like(gamma)] * late + [gamma] + ([before] if np.any(before) else [])
    stored = len(acting) - 1
    A, B = np.zeros((m + stored * k, m + stored * k)), np.zeros((m + stored * k, k))
    A[:m, :m], B[:m] = phi, acting[0]
    for age in range(1, stored + 1):
        A[:m, m + (age - 1) * k : m + age * k] = acting[age]
    if stored:
        B[m : m + k] = np.eye(k)
        A[m + k :, m : m + (stored - 1) * k] = np.eye((stored - 1) * k)
    names = [f"{name}[-{age}]" for age in range(1, stored + 1) for name in inputs]
    return A, B, names

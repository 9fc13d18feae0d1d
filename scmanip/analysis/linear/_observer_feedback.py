"""A law of estimated states for python-control."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, refuse
from ...spatial import array_problems


def observer_feedback(linear: Any, K: ArrayLike, L: ArrayLike) -> Any:
    """Return the compensator c = -K x of an observer x+ = A x + B c + L (y - C x - D c), outputs of a linear system in and its
    inputs out: a `control.StateSpace` [Anderson1990].

    The loop has the poles of A - B K and those of A - L C. In discrete time it flies as `control.OutputFeedback`.

    linear : a `control.StateSpace`, such as `linearise(..., outputs=("q",), rate_Hz=10.0)`
    K : (k, n), in SI, of `control.lqr`, `control.dlqr` or `control.place`
    L : (n, p), in SI like K, of `control.lqe`, `control.dlqe` or `control.place(A.T, C.T, poles).T`

    Raises `InvalidInput` for what is no `control.StateSpace`, and other shapes of K and L.

    >>> import control
    >>> double = control.ss([[0, 1], [0, 0]], [[0], [1]], [[1, 0]], [[0]])
    >>> feedback = observer_feedback(double, [[1.0, 2.0]], [[4.0], [4.0]])
    >>> np.round(control.feedback(double, feedback, sign=1).poles().real, 3).tolist()
    [-2.0, -2.0, -1.0, -1.0]
    """
    import control

    if not isinstance(linear, control.StateSpace):
        raise InvalidInput(Problem("linear", "a control.StateSpace", repr(linear)))
    n, k, p = linear.nstates, linear.ninputs, linear.noutputs
    refuse([*array_problems("K", K, (k, n)), *array_problems("L", L, (n, p))])
    gain, told = np.asarray(K, dtype=float), np.asarray(L, dtype=float)
    A = linear.A - linear.B @ gain - told @ (linear.C - linear.D @ gain)
    names = {"inputs": linear.output_labels, "outputs": linear.input_labels, "states": linear.state_labels}
    return control.ss(A, told, -gain, np.zeros((k, p)), linear.dt, **names, name=f"observer_of_{linear.name}")

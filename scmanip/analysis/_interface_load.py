"""What goes through an interface, in axes of one's choice."""

from __future__ import annotations

import numpy as np

from ..dynamics import Model
from ..errors import expect
from ..simulation import History
from ..spatial import Array, dcm_from_quaternion


def interface_load(model: Model, history: History, name: str, *, axes: str) -> Array:
    """Return what goes through a joint or a constraint (n, 6), as `History.interface_load`, in the axes of a frame.

    axes : the name of the frame, such as that of a sensor. Raises `UnknownName`

    >>> [interface.name for interface in system.interfaces]
    ['joint1', 'joint2', 'joint3', 'joint4']
    >>> interface_load(model, history, "joint1", axes="tip").shape
    (5, 6)
    """
    expect("model", model, Model, "a Model")
    expect("history", history, History, "a History")
    turned = dcm_from_quaternion(model.batch.attitude(history.states, axes).T)
    load = history.interface_load(name).reshape(-1, 2, 3)
    return np.einsum("jin,nkj->nki", turned, load).reshape(-1, 6)

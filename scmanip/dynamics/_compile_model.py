"""From a system or its symbolic model to a model that computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from ..errors import InvalidInput, Problem, SingularInertia, expect
from ..spatial import RotationForm
from ..system import System
from .model._model import Model
from .programs._door import check_regular
from .programs._general_position import general_position
from .programs._implementation import Implementation, Inertia
from .programs._quantities import AskedQuantity
from .programs._symbolic_model import SymbolicModel, derive
from .speeds._model_in_speeds import ModelInSpeeds, change_speeds
from .speeds._speeds import Speeds


@overload
def compile_model(
    system: System | SymbolicModel,
    *,
    implementation: Implementation | None = None,
    kinematics: RotationForm | None = None,
    inertia: Inertia | None = None,
    symbols: Sequence[str] = (),
    quantities: Sequence[str] = (),
    speeds: None = None,
) -> Model: ...


@overload
def compile_model(
    system: System | SymbolicModel,
    *,
    implementation: Implementation | None = None,
    kinematics: RotationForm | None = None,
    inertia: Inertia | None = None,
    symbols: Sequence[str] = (),
    quantities: Sequence[str] = (),
    speeds: Speeds,
) -> ModelInSpeeds: ...


def compile_model(
    system: System | SymbolicModel,
    *,
    implementation: Implementation | None = None,
    kinematics: RotationForm | None = None,
    inertia: Inertia | None = None,
    symbols: Sequence[str] = (),
    quantities: Sequence[str] = (),
    speeds: Speeds | None = None,
) -> Model | ModelInSpeeds:
    """Return the model of a system; a quantity is recorded and compiled at its first use.

    system : a `System`, or what `derive` made of one (which has the options already)
    implementation, kinematics, inertia, symbols : as for `derive`
    quantities : names of the model's to prepare ahead of their first use, such as ("H", "forward_dynamics")
    speeds : generalized speeds other than u; what is returned is then `change_speeds` of the model

    Raises `SingularInertia`, naming the joint, when M is singular in every configuration, and `UnknownName`.

    >>> compiled = compile_model(system)  # nothing is compiled yet
    >>> model.H(state).shape, np.round(model.J_star(state, "tip")[1], 3).tolist()  # how the tip moves along y
    ((4, 4), [0.178, 0.561, 0.795, 0.656])
    >>> compile_model(system, quantities=("Hh",))
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.UnknownName: quantity of a model: expected one ... found 'Hh'; did you mean 'H'?
    """
    if isinstance(system, SymbolicModel):
        if (implementation, kinematics, inertia, *symbols) != (None, None, None):
            raise InvalidInput(Problem("compile_model", "options given to derive", "options beside a SymbolicModel"))
        symbolic = system
    else:
        symbolic = derive(system, implementation=implementation, kinematics=kinematics, inertia=inertia, symbols=symbols)
    expect("speeds", speeds, Speeds | None, "a choice of generalized speeds, such as JointRates(), or None")
    expect("quantities", quantities, list | tuple, 'names in a sequence, such as ("H",)')
    model = Model(symbolic)
    _check_structure(model)
    for name in quantities:
        AskedQuantity.of(name)
        model.kernel(name)
    return model if speeds is None else change_speeds(model, speeds)


def _check_structure(model: Model) -> None:
    """Raise `SingularInertia` when M is singular at three configurations that share no symmetry."""
    if not model.system.mass_kg > 0:
        raise SingularInertia(f"system '{model.system.name}' has no mass: give its bodies mass")
    failure: SingularInertia | None = None
    for k in (1, 2, 3):
        state = general_position(model.system, k)
        try:
            check_regular(model.equations(state), model.system, "in every configuration")
        except SingularInertia as singular:
            failure = singular
        else:
            return
    if failure is not None:
        raise failure

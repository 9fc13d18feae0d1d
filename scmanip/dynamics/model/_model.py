"""A system's equations behind one door: states in, arrays out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, SingularInertia
from ...export import Code
from ...impacts import Restitution, Touch
from ...spatial import Array, RotationForm, least_squares
from ...system import Layout, Number, State, System
from ..checks._gimbal_lock import check_unlocked, three_axis_gimbals
from ..constraints._stack import Stack
from ..programs._derivation import INERTIA
from ..programs._design_derivatives import DesignDerivatives
from ..programs._door import (
    Wrenches,
    check_reached,
    check_regular,
    check_state,
    checked,
    first_entry_tells,
    loaded,
    no_base_wrench,
    point_of,
    singular,
)
from ..programs._exported import AXES, exported
from ..programs._family import Family
from ..programs._general_position import general_position
from ..programs._implementation import Implementation, RunTimeInertia
from ..programs._programs import Call, Programs
from ..programs._quantities import QUANTITIES, wanted
from ..programs._symbolic_model import SymbolicModel, derive
from ..sums._equations import Equations
from ..sums._jacobians import resolved_joint_rates
from ..sums._points import body_offset, frame_point
from ..sums._results import (
    BodyMomentum,
    FloatingInverseDynamics,
    ForwardDynamicsDerivatives,
    InverseDynamics,
    InverseDynamicsDerivatives,
    Momentum,
    Point,
    Springs,
)
from ..sums._springs import check_lengths
from ._base_parameters import BaseParameters
from ._batch import Batch
from ._card import card, html_card
from ._carrying import carrying
from ._constrained import Constrained
from ._derivative import Derivative, by_numbers
from ._named_methods import Named, OfPoint, OfState, of_point, of_state
from ._struck import Struck

empty = np.empty
CARRYING = "carrying"
LARGE = 1e6  # an acceleration from there on, or NaN, sends forward dynamics to look for a singular M


class Model(Named[OfState, OfPoint], of_state=of_state, of_point=of_point, which=""):
    """Numbers from states. Made by `compile_model`; every method takes a `State` and returns fresh arrays.

    In SI, and components are inertial (N) throughout: speeds u = [v_0; omega_0; qdot], twists [v; omega], wrenches [f; n] are
    in [m/s, rad/s] and [N, N m]; H0, H0m, Hm, M and H in [kg, kg m, kg m^2], as row and column slide or turn, their
    derivatives per second and per rad or m, H0_inverse in [1/kg, 1/(kg m), 1/(kg m^2)]; tau, C, c, momentum_bias and
    gravity_force in [N m], of what slides in [N]; rows of J0, Jm and J_star in [m/s, rad/s] per speed.

    With a fixed base the six base rows and columns are absent. With free bodies H0, Hm, H, C, S_U, J_star and what follows
    from them are those of the base's tree, whose joints are the first N_tree of `layout`; the rest is of all trees. Equation
    numbers are those of [Wilde2018]. A quantity is recorded and compiled at its first use. Every method raises `InvalidState`
    for a state of another system and `UnknownName` for a frame or body that does not exist.

    system, layout : what it was made from; the order and names of q, qdot, u and x
    batch : the same names for many states at once
    kept : whatever was made of this model alone, such as plants
    gimbals : those of three axes, which can lock

    >>> model.layout.u_names[6:]
    ('joint1', 'joint2', 'joint3', 'joint4')
    >>> model.H(state).shape, model.J_star(state, "tip").shape
    ((4, 4), (6, 4))
    >>> model.forward_dynamics(state, [1.0, 0, 0, 0]).round(4)[6:].tolist()
    [0.5152, -0.3645, 0.1522, 0.0022]
    """

    def __init__(self, symbolic: SymbolicModel) -> None:
        self.symbolic = symbolic
        self._programs = Programs(symbolic.derivation, symbolic.implementation)
        self.layout: Layout = self.system.layout
        self._N, self._n_u = self.layout.N, self.layout.n_u
        self._calls: dict[str, Call] = {}
        self._frames: dict[str, dict[str | None, Call]] = {name: {} for name, q in QUANTITIES.items() if q.framed}
        self._J_stars = self._frames["J_star"]
        self._forward: Callable[..., bool] = self._first_forward
        self.gimbals = three_axis_gimbals(self.system)
        self._last: tuple[State, Equations] | None = None
        self.batch = Batch(self._programs)
        self.kept: dict[Hashable, Any] = {}

    @property
    def family(self) -> Family:
        """What models share whose equations say the same."""
        return self._programs.family

    @property
    def system(self) -> System:
        """The hardware."""
        return self.symbolic.derivation.system

    @property
    def symbols(self) -> dict[str, Number]:
        """The numbers of the system that are inputs of every program, by their paths: `.shape .unit .value`."""
        return self.symbolic.symbols

    @property
    def kinematics(self) -> RotationForm:
        """How rotations are carried."""
        return self.symbolic.derivation.kinematics

    @property
    def implementation(self) -> Implementation:
        """`Full()` or `Partial()`."""
        return self.symbolic.implementation

    def equations(self, state: State) -> Equations:
        """Return the paper's sums at one state, evaluated on floats when asked: the reference for everything else."""
        last = self._last
        if last is not None and last[0] is state:
            return last[1]
        check_state(state, self.layout)
        equations = self.symbolic.derivation.at(state.hardware)
        self._last = (state, equations)
        return equations

    def point(self, frame: str | None, body: str | None = None, point_m: ArrayLike | None = None) -> Point:
        """Return a named frame, or a run-time point `point_m` (3,) [m] in axes of `body` from its frame's origin."""
        where = point_of(self.system, frame, body, point_m)
        return body_offset(self.system, body or "", *where.inputs) if where.inputs else frame_point(self.system, frame or "")

    def kernel(self, *names: str) -> Callable[..., None]:
        """Return the fast door: one callable `(x, inputs..., outputs...)` for one or several quantities.

        names : such as "H", "J_star:tip", "forward_dynamics:wrench", "inverse_dynamics.tau". x is the packed state;
        inputs tau, wrench, udot, qddot come once each, in this order, then one array per output in the order of the
        names. Arrays are float64 and contiguous; outputs are overwritten. With `Full()` what is an input of every
        program comes before x: the table of inertias (n_b, 10) of `RunTimeInertia()`, then the numbers of `symbols`.
        """
        return self._programs.kernel(wanted("kernel", names, fixed=self.layout.fixed))

    def code(self, language: str, *names: str, name: str | None = None) -> Code:
        """Return what `kernel(*names)` evaluates as a function of "c", "matlab", "python" or "rust"; see `export.code`.

        It takes the packed state and gives inertial components; `symbolic.code` has the same in base axes, of less.
        name : of the function; that of the system and of the quantities if None
        """
        derivation, asked = self.symbolic.derivation, wanted("code", names, fixed=self.layout.fixed)
        return exported(derivation, derivation.packed_program(asked), language, asked, name=name, axes=AXES[True])

    def constrained(self, *names: str) -> Constrained:
        """Return the model under constraints of its system; raises `UnknownName` for one that it does not have.

        Each is named once. What is recorded and compiled belongs to the set of names and is there for all who ask for it.
        """
        stack = Stack.of(self.system, names)
        if len(set(names)) < len(names):
            raise InvalidInput(Problem("constrained", "every name once", ", ".join(names)))
        return Constrained(self, stack)

    def carrying(self, names: Sequence[str], state: State) -> Model:
        """Return the model in which what constraints hold rigidly to the base's tree is a part of the bodies that hold it.

        Free bodies that are welded to them count with all that they carry, as it lies in `state`, and are there all the same.
        So H0, H, S_U, J_star and laws are those of the stack. Where nothing is held that is this model; all others share
        programs, with `RunTimeInertia`. Raises `UnknownName`.
        """
        system = carrying(self, names, state)
        if system is self.system:
            return self
        if INERTIA in self.symbolic.derivation.numbers:
            return self.with_inertia_of(system)
        if CARRYING not in self.kept:
            table, options = RunTimeInertia(), self.symbolic.derivation
            self.kept[CARRYING] = Model(
                derive(
                    self.system,
                    implementation=self.implementation,
                    kinematics=self.kinematics,
                    inertia=table,
                    symbols=table.beside(options.symbols),
                )
            )
        twin: Model = self.kept[CARRYING]
        return twin.with_inertia_of(system)

    def touches(self, state: State, pairs: Sequence[tuple[str, str]], *, within_m: float) -> list[Touch]:
        """Return where shapes of the system touch; see `Constrained.touches`."""
        return self.constrained().touches(state, pairs, within_m=within_m)

    def impact(self, state: State, touches: Sequence[Touch], law: Restitution, friction: ArrayLike = 0.0) -> Struck:
        """Return the `.state`, `.impulses` and `.energy_lost` of an impact between bodies; see `Constrained.impact`.

        friction : coefficient of all touches, or (c,) of each
        """
        return self.constrained().impact(state, touches, law, friction)

    def card(self) -> str:
        """Return how the model was made and what its programs cost, as lines of text."""
        return card(self._programs)

    def with_inertia_of(self, system: System) -> Model:
        """Return the model of other hardware that differs in inputs of programs at most; nothing is recompiled.

        Those are the inertias with `RunTimeInertia`, and what is in `symbols`. Raises `InvalidInput`.
        """
        return self._with(self._programs.with_inertia_of(system))

    def with_values(self, values: Mapping[str, ArrayLike]) -> Model:
        """Return the model with other values, () or arrays, of numbers in `symbols`; nothing is recompiled.

        Raises `InvalidInput` for unknown names and wrong shapes, `InvalidSystem` for values that hardware cannot have.
        """
        return self._with(self._programs.with_values(values))

    def _with(self, programs: Programs) -> Model:
        other = Model(replace(self.symbolic, derivation=programs.derivation))
        other._programs = programs
        other.batch = Batch(other._programs)
        return other

    def __reduce__(self) -> tuple[type[Model], tuple[SymbolicModel]]:
        return Model, (self.symbolic,)

    def _prepared(self, name: str) -> Call:
        call = self._calls[name] = self._programs.call((name,))
        return call

    def _of(self, name: str, state: State) -> Array:
        """Return the one array of a quantity of the state alone."""
        call = self._calls.get(name) or self._prepared(name)
        out = empty(call.shape)
        try:
            call.function(state.hardware, out)
        except (InvalidInput, AttributeError):  # AttributeError: what is no state has no x
            check_state(state, self.layout)
            raise
        return out

    def _value(self, name: str, state: State, *inputs: Array) -> Array:
        """Return the one array of a quantity."""
        call = self._calls.get(name) or self._prepared(name)
        out = empty(call.shape)
        try:
            call.function(state.hardware, *inputs, out)
        except (InvalidInput, AttributeError):  # AttributeError: what is no state has no x
            check_state(state, self.layout)
            raise
        return out

    def _values(self, name: str, state: State, *inputs: Array) -> list[Array]:
        """Return the several arrays of a quantity."""
        call = self._calls.get(name) or self._prepared(name)
        outs = [empty(shape) for shape in call.shapes]
        try:
            call.function(state.hardware, *inputs, *outs)
        except (InvalidInput, AttributeError):  # AttributeError: what is no state has no x
            check_state(state, self.layout)
            raise
        return outs

    def _at_point(self, name: str, state: State, frame: str | None, body: str | None, point_m: ArrayLike | None) -> Array:
        try:
            call = self._frames[name][frame]
        except (KeyError, TypeError):  # TypeError: a list, which is no name
            return self._at_new_point(name, state, frame, body, point_m)
        if body is not None or point_m is not None:
            return self._at_new_point(name, state, frame, body, point_m)
        out = empty(call.shape)
        try:
            call.function(state.hardware, out)
        except (InvalidInput, AttributeError):  # AttributeError: what is no state has no x
            check_state(state, self.layout)
            raise
        return out

    def _at_new_point(self, name: str, state: State, frame: str | None, body: str | None, point_m: ArrayLike | None) -> Array:
        where = point_of(self.system, frame, body, point_m)
        if not where.inputs:
            self._frames[name][frame] = self._prepared(name + where.suffix)
        return self._value(name + where.suffix, state, *where.inputs)

    # Points

    def J_star(
        self, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None
    ) -> Array:
        """Generalized Jacobian (6, N) of a frame, or of `point_m` (3,) on `body`, eq. 110."""
        try:  # without a detour, because control loops live on it
            call = self._J_stars[frame]
            if body is None and point_m is None:
                out = empty(call.shape)
                call.function(state.hardware, out)
                return out
        except (KeyError, TypeError, AttributeError, InvalidInput):  # new, or wrong: the detour says which
            pass
        return self._at_point("J_star", state, frame, body, point_m)

    def resolved_joint_rates(self, state: State, frame: str, twist: ArrayLike) -> Array:
        """Joint rates (N,) [rad/s or m/s] that give `frame` the twist (6,) [v; omega] while the base reacts freely, eq. 111.

        The smallest rates where several do. Raises `NumericalFailure` when no rates give this twist.
        """
        wanted = checked("twist", twist, (6,)) - self.J_star_drift(state, frame)
        J_star = self.J_star(state, frame)
        rates = least_squares(J_star, wanted) if singular(J_star) else resolved_joint_rates(J_star, wanted)
        check_reached(J_star @ rates, wanted, frame)
        return rates

    # Momentum and energy

    def momentum(self, state: State) -> Momentum:
        """P (3,) [N s], L_0 about the base CoM and L_C about the system CoM (3,) [N m s], eq. 42."""
        call = self._calls.get("momentum") or self._prepared("momentum")
        P, L_0, L_C = empty(3), empty(3), empty(3)
        try:
            call.function(state.hardware, P, L_0, L_C)
        except (InvalidInput, AttributeError):  # AttributeError: what is no state has no x
            check_state(state, self.layout)
            raise
        return Momentum(P, L_0, L_C)

    def momentum_by_body(self, state: State) -> BodyMomentum:
        """P (n_b, 3) [N s] and L_C (n_b, 3) [N m s] about the system CoM of every body, base first."""
        return BodyMomentum(*self._values("momentum_by_body", state))

    def momentum_by_tree(self, state: State) -> BodyMomentum:
        """P (n_t, 3) [N s] and L_C (n_t, 3) [N m s] of the base with all that it carries, then of every free body.

        L_C is about the CoM of each.
        """
        return BodyMomentum(*self._values("momentum_by_tree", state))

    def springs(self, state: State) -> Springs:
        """Length (n_s,) [m] and rate of length (n_s,) [m/s] of every `[[spring_damper]]`, in the order of the file."""
        return Springs(*self._values("springs", state))

    def kinetic_energy(self, state: State) -> float:
        """T [J], eq. 26."""
        return float(self._of("kinetic_energy", state))

    # Dynamics

    def forward_dynamics(self, state: State, tau: ArrayLike, wrench: ArrayLike | None = None, wrenches: Wrenches = ()) -> Array:
        """Accelerations udot (n_u,) [m/s^2, rad/s^2] under joint forces, a base wrench and wrenches at points, eq. 39.

        tau : (N,) actuator forces [N m or N]; the file's springs, dampers and gravity are added
        wrench : (6,) [f; n] [N, N m] on the base at its CoM (not with a fixed base)
        wrenches : pairs (frame or (body, point_m), [f; n] about that point), in N

        Raises `SingularInertia`, naming the joint, where M cannot be inverted.
        """
        if wrench is None and type(wrenches) is tuple and not wrenches:
            out = empty(self._n_u)
            try:
                if self._forward(state.hardware, tau, out):
                    return out
            except (InvalidInput, AttributeError):  # a list, integers, or something wrong
                out = self._driven("forward_dynamics", state, tau)
        else:
            check_state(state, self.layout)
            self._check_gimbals(state.hardware)
            out = self._driven_and_pushed(state, tau, wrench, wrenches)
        self._judge(state, tau, out)
        return out

    def _first_forward(self, x: Array, tau: ArrayLike, out: Array) -> bool:
        """Prepare the kernel of forward dynamics, which takes the place of this method, and call it.

        It returns whether the accelerations are plausible, by the first where that tells of all of them.
        """
        self._check_gimbals(x)
        call = self._prepared("forward_dynamics")
        tells = first_entry_tells(call.function, x, self._N, self._n_u)
        self._forward = call.within(LARGE) if tells else partial(_judged, call.function)
        if self.gimbals:
            self._forward = partial(self._unlocked, self._forward)
        return self._forward(x, tau, out)

    def _unlocked(self, forward: Callable[..., bool], x: Array, tau: ArrayLike, out: Array) -> bool:
        """Call forward dynamics and look at the gimbals, whose lock hides in accelerations that cancel or stay small."""
        self._check_gimbals(x)
        return forward(x, tau, out)

    def _check_gimbals(self, x: Array) -> None:
        """Raise `SingularInertia` when a gimbal is locked at the packed state x (n_x,)."""
        if self.gimbals and x.size == self.layout.n_x:
            check_unlocked(self.gimbals, x[self.layout.x_q], f"in this state of system '{self.system.name}'")

    def _driven_and_pushed(self, state: State, tau: ArrayLike, wrench: ArrayLike | None, wrenches: Wrenches) -> Array:
        """Return accelerations under a base wrench and wrenches at points too."""
        joints, base = self._loaded(state, tau, wrench, wrenches)
        if self.layout.fixed:
            return self._driven("forward_dynamics", state, joints)
        return self._driven("forward_dynamics:wrench", state, joints, base)

    def _driven(self, name: str, state: State, tau: ArrayLike, *base: Array) -> Array:
        """Return accelerations for a list, integers or anything else that needs a closer look first."""
        check_state(state, self.layout)
        return self._value(name, state, checked("tau", tau, (self._N,)), *base)

    def _loaded(self, state: State, tau: ArrayLike, wrench: ArrayLike | None, wrenches: Wrenches) -> tuple[Array, Array]:
        """Return the joint forces (N,) and the base wrench (6,) that all given forces amount to."""
        return loaded(self, state, lambda key, value, size: checked(key, value, (size,)), tau, wrench, wrenches)

    def _judge(self, state: State, tau: ArrayLike, out: Array) -> None:
        """Look further where accelerations, of u or of speeds that it follows from, are not plausible."""
        if not _plausible(out):
            self._diagnose(state, tau, out)

    def _diagnose(self, state: State, tau: ArrayLike, out: Array) -> None:
        """Say why an acceleration is suspect: an input that is not finite, or a singular M; large ones are legal."""
        checked("tau", tau, (self.layout.N,))
        check_lengths(self.equations(state))
        check_regular(self.equations(state), self.system, "in this state")
        if not np.isfinite(out).all():
            raise SingularInertia(f"the accelerations of system '{self.system.name}' overflow in this state: {out.tolist()}")

    def inverse_dynamics(self, state: State, udot: ArrayLike) -> InverseDynamics:
        """`.wrench` (6,) [N, N m] on the base and `.tau` (N,) [N m or N] that produce udot (n_u,), eq. 39.

        `.wrench` acts at the base CoM; with a fixed base it is what the ground applies at the base frame's origin. An
        array is taken as it is: what is not finite in it comes back as forces that are not.
        """
        call = self._calls.get("inverse_dynamics") or self._prepared("inverse_dynamics")
        wrench, tau = empty(call.shapes[0]), empty(call.shapes[1])
        try:
            call.function(state.hardware, udot, wrench, tau)
        except (InvalidInput, AttributeError):  # a list, integers, or something wrong
            check_state(state, self.layout)
            call.function(state.hardware, checked("udot", udot, (self._n_u,)), wrench, tau)
        return InverseDynamics(wrench, tau)

    def floating_inverse_dynamics(self, state: State, qddot: ArrayLike) -> FloatingInverseDynamics:
        """`.tau` (N,) [N m or N] for accelerations qddot (N,) of joints on a free base, and `.base_acceleration` (6,).

        Of joints that the base does not carry nothing is asked, and they are given no force.
        """
        call = self._calls.get("floating_inverse_dynamics") or self._prepared("floating_inverse_dynamics")
        base, tau = empty(call.shapes[0]), empty(call.shapes[1])
        try:
            call.function(state.hardware, qddot, base, tau)
        except (InvalidInput, AttributeError):  # a list, integers, or something wrong
            check_state(state, self.layout)
            call.function(state.hardware, checked("qddot", qddot, (self._N,)), base, tau)
        return FloatingInverseDynamics(base, tau)

    # Derivatives

    def inverse_dynamics_derivatives(self, state: State, udot: ArrayLike) -> InverseDynamicsDerivatives:
        """Derivatives `.q .u .udot .r_0 .attitude .values` of [wrench; tau] (n_u,) at accelerations udot (n_u,) [Singh2022].

        Axes and shapes are those of `InverseDynamicsDerivatives`.
        """
        check_state(state, self.layout)
        given = checked("udot", udot, (self._n_u,))
        found = InverseDynamicsDerivatives(*self._values("inverse_dynamics_derivatives", state, given))
        found.values = by_numbers(self._design, self.family, "inverse_dynamics", state, [given])
        return found

    def forward_dynamics_derivatives(
        self, state: State, tau: ArrayLike, wrench: ArrayLike | None = None
    ) -> ForwardDynamicsDerivatives:
        """Derivatives `.q .u .tau .wrench .r_0 .attitude .values` of udot (n_u,) under tau (N,) and a base wrench (6,).

        They are -M^-1 of those of the forces that udot needs [Carpentier2018]. Raises `SingularInertia`.
        """
        name, given = "forward_dynamics_derivatives", [cast("Array", tau)]
        if wrench is not None:
            no_base_wrench(self.layout)
            name, given = f"{name}:wrench", [*given, checked("wrench", wrench, (6,))]
        try:
            found = ForwardDynamicsDerivatives(*self._values(name, state, *given))
        except (InvalidInput, AttributeError):  # a list, integers, or something wrong
            check_state(state, self.layout)
            given[0] = checked("tau", tau, (self._N,))
            found = ForwardDynamicsDerivatives(*self._values(name, state, *given))
        self._check_gimbals(state.hardware)
        size = found.q.item(0) if self._telling else found.tau.sum() + found.q.sum() + given[0].sum()
        if not -LARGE < size < LARGE:
            self._diagnose(state, given[0], found.q)
        if self.symbolic.derivation.numbers:
            found.values = by_numbers(self._design, self.family, "forward_dynamics", state, given)
        return found

    @cached_property
    def _telling(self) -> bool:
        """Whether the first of the derivatives of accelerations along q is not finite where a pivot of M is zero."""
        call = self._prepared("forward_dynamics_derivatives")
        x, rest = general_position(self.system).hardware, [empty(shape) for shape in call.shapes[1:]]
        tells = first_entry_tells(lambda x, tau, q: call.function(x, tau, q, *rest), x, self._N, call.shape)
        return tells and self._N > 0

    def derivative(self, name: str, by: str) -> Derivative:
        """Return the derivative of a quantity as a function of a state, and of what the quantity takes beside it.

        name : such as "H", "J_star:tip", "momentum.P", "forward_dynamics"
        by : the path of a number of the system ("body.link2.mass_kg"), whose shape comes last; "q" (N along joint freedoms),
            "qdot", "u", and with a free base "r_0", "attitude" (3, small turns about axes of N), "v_0", "omega_0"; or what the
            quantity takes, such as "tau". What is not named is held; components in N

        By the base's own centre of mass: r_0, v_0, accelerations of the base and its wrench, given or returned, belong to the
        point of the base where the system says that its centre of mass is. Raises `InvalidInput` and `UnknownName`.
        """
        return Derivative.of(self._design, self.family, name, by)

    @property
    def _design(self) -> DesignDerivatives:
        self._programs.recorded_only("derivatives")
        return DesignDerivatives(self.symbolic.derivation)

    # Parameters

    def regressor(self, state: State, udot: ArrayLike) -> Array:
        """Y (n_u, 10 n_b) of [wrench; tau] = Y parameters at accelerations udot (n_u,); with a fixed base of tau.

        parameters : `inertial_parameters(system)`, in Pinocchio's order and axes of each body's own frame. What springs,
        dampers, friction, rotors of motors and wheels take comes beside it. While parameters of the base change, v_0, its
        rate and the wrench belong to the point of the base where the system says that its centre of mass is.
        """
        check_state(state, self.layout)
        return self._value("regressor", state, checked("udot", udot, (self._n_u,)))

    def base_parameters(self, states: State, udot: ArrayLike) -> BaseParameters:
        """Combinations of inertial parameters that states (a batch) with udot (n, n_u) tell apart [Gautier1991]."""
        Y = self.batch.regressor(states, udot)
        return BaseParameters.of(self.system, Y.reshape(-1, Y.shape[-1]))

    def _repr_html_(self) -> str:
        return html_card(self._programs)

    def __repr__(self) -> str:
        return f"Model({self.system!r}, {self.implementation!r}, kinematics={self.kinematics!r})"


def _judged(kernel: Callable[..., None], x: Array, tau: Array, out: Array) -> bool:
    """Call the kernel of forward dynamics and return whether all accelerations are plausible."""
    kernel(x, tau, out)
    return _plausible(out)


def _plausible(accelerations: Array) -> bool:
    return bool(-LARGE < sum(accelerations.tolist()) < LARGE)

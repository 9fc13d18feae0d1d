"""A model under constraints: the same questions, answered with dependent speeds embedded [Gillespie2003]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...constraints import Rows
from ...errors import (
    ConstraintRankLoss,
    InconsistentConstraints,
    InvalidInput,
    InvalidState,
    Problem,
    checked_as,
    expect,
    pair_problems,
    refuse,
)
from ...impacts import Bilateral, Contacts, Restitution, Touch
from ...spatial import Array, Selection, dcm_from_quaternion, pivots, positive_problems, selection
from ...system import State
from ..checks._gimbal_lock import check_unlocked
from ..constraints._constrained_motion import mismatch
from ..constraints._embedding import Embedding
from ..constraints._imposition import imposed
from ..constraints._shape_touches import shape_touches
from ..constraints._sight import Sight
from ..constraints._stack import Stack
from ..constraints._touch_rows import touch_rows
from ..programs._door import Wrenches, check_regular, check_state, checked, loaded
from ..programs._general_position import general_position
from ._component import Component, MassProperties
from ._constrained_programs import ConstrainedPrograms
from ._imposed_each import ImposedEach, ImpositionOfEach
from ._pushed import Pushed, pushed
from ._sharing import ConstrainedInverseDynamics, LeastTorques, Sharing, SharingTask, actuated_speeds, multipliers_of
from ._struck import Struck, Struckable, TouchingMotions

if TYPE_CHECKING:
    from ._model import Model

GOOD = 10.0  # a conditioning up to which a choice stays where constraints hold on, so that code made for it serves on
RESELECT = 100.0  # a conditioning beyond it, and beyond twice that of the last choice, has speeds chosen anew
REGULAR = 1e-8  # of the diagonal of M: where its pivots are larger nobody has to look closer
NOISE = 1e-13  # in rows of direction cosines and of arms [m]: two frames of one body have rows of such entries
LARGE = 1e6  # a result from there on, or NaN, has M looked at
LEAST_TORQUES = LeastTorques()
NONE_BEFORE: Mapping[str, Array] = {}
BROKEN = 1e-6  # of its size, by which a row that is left out, or given accelerations, may miss


class Imposed(NamedTuple):
    """What happens when constraints begin to hold, plastically [Moreau1988].

    state : after it, in the same place
    impulses : per constraint (k,), in the senses of its forces, units times s; of a redundant set the smallest
    energy_lost : [J], of wheels too

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], system.frames, constraints=[Lock("brake", "joint1")])
    >>> turning = scmanip.State([0, 0, 0], q=4 * [0.0], qdot=[0.2, 0, 0, 0])
    >>> braked = compile_model(arm, implementation=Reference()).constrained("brake").imposed(turning)
    >>> braked.state.qdot.round(6).tolist()[0], braked.energy_lost > 0
    (0.0, True)
    """

    state: State
    impulses: dict[str, Array]
    energy_lost: float


class Constrained:
    """Numbers of a model whose speeds obey constraints. Made by `Model.constrained`.

    The independent speeds are chosen at the first state that is asked about, and anew where the choice grows bad: accelerations
    do not depend on it. Everywhere t is the time [s] and `kept` (n_kept,) what the constraints keep, such as the relative
    pose of a weld: as they find it in that very state where nothing is said. In SI and components in N throughout, like the
    numbers of `Model`: u and udot [m/s, rad/s] and per second, tau [N m or N], wrenches [N, N m].

    model, stack : what it was made from; coded : whether rows are compiled, else they are evaluated as they are written
    chosen : what was chosen before, where the same constraints held

    Methods raise as those of `Model`, and as `forward_dynamics` says.

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], system.frames, constraints=[Lock("brake", "joint1")])
    >>> braked = compile_model(arm, implementation=Reference()).constrained("brake")
    >>> braked.names, braked.dependent, braked.rank(state)
    (('brake',), ('joint1',), 1)
    """

    def __init__(self, model: Model, stack: Stack, *, coded: bool = True, chosen: Selection | None = None) -> None:
        self.model, self.stack, self.coded = model, stack, coded
        self._programs = ConstrainedPrograms(model, stack)
        self._chosen = chosen
        self._conditioning = np.inf
        self._bound = RESELECT
        self._sight: tuple[State, Sight] | None = None

    # What was chosen

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the constraints."""
        return tuple(constraint.name for constraint in self.stack.constraints)

    @property
    def independent(self) -> tuple[str, ...]:
        """Names (p) of the independent speeds; those of a general state before any was asked about."""
        return tuple(self.model.layout.u_names[j] for j in self._choice.independent)

    @property
    def dependent(self) -> tuple[str, ...]:
        """Names (m) of the speeds that follow from them."""
        return tuple(self.model.layout.u_names[j] for j in self._choice.dependent)

    @property
    def redundant(self) -> tuple[tuple[str, ...], ...]:
        """Per row that says nothing new its name, such as "loop.y", and those of the rows that it follows from."""
        return tuple(tuple(self.stack.labels[i] for i in rows) for rows in self._choice.redundant)

    def rank(self, state: State, *, t: float = 0.0, kept: ArrayLike | None = None) -> int:
        """Return how many independent conditions the constraints are at a state."""
        A, _, M = self._values("rows", state, t, kept)
        return selection(A, M, NOISE).rank

    def A(self, state: State, *, t: float = 0.0, kept: ArrayLike | None = None) -> Array:
        """(k, n_u) of A u + speed = 0 [m/s or rad/s], eq. 3, all rows, in the order of `stack.labels`."""
        return self._values("rows", state, t, kept)[0]

    def D(self, state: State, *, t: float = 0.0, kept: ArrayLike | None = None) -> Array:
        """(m, p) how the dependent speeds follow from the independent ones, u_dep = D u_ind + E, eq. 5."""
        return self._embedded(state, t, kept).D

    def E(self, state: State, *, t: float = 0.0, kept: ArrayLike | None = None) -> Array:
        """(m,) what the dependent speeds [m/s or rad/s] have beside that, by constraints that prescribe speeds."""
        return self._embedded(state, t, kept).E

    def kept(self, state: State, *, t: float = 0.0) -> Array:
        """Return what the constraints keep (n,), one behind the other, where they begin to hold at this state."""
        check_state(state, self.model.layout)
        return self.stack.found(self._seen(state), t)

    def choose(self, state: State, *, t: float = 0.0, kept: ArrayLike | None = None) -> None:
        """Choose rows and independent speeds at a state."""
        self._choose(state, *self._values("rows", state, t, kept))

    @property
    def chosen(self) -> tuple[Selection, float]:
        """What was chosen last, with its conditioning there, a bare number."""
        return self._choice, self._conditioning

    # The stack

    def component(self, state: State, *, t: float = 0.0, kept: ArrayLike | None = None) -> Component:
        """Return the inertia of the base and of all that the constraints join to it, in independent `.speeds`.

        Raises `ModeMismatch` where they bind the base.
        """
        A, _, M = self._values("rows", state, t, kept)
        return Component.of(self.model.system, A, M, self._free, NOISE)

    def H0(self, state: State) -> Array:
        """Return the inertia (6, 6) [kg, kg m, kg m^2] of the stack for the motion of the base, eq. 28, in N."""
        return self.component(state).H0

    def H(self, state: State) -> Array:
        """Return the generalized inertia (p - 6, p - 6) [kg, kg m, kg m^2] of the stack on a free base, eq. 45.

        Of the independent speeds other than the base's, `component(state).speeds[6:]`.
        """
        return self.component(state).H

    def S_U(self, state: State) -> Array:
        """Return the inertia (3, 3) of the stack about its CoM [kg m^2], eq. 53, in N."""
        return self.component(state).S_U

    def J_star(self, state: State, frame: str) -> Array:
        """Return the generalized Jacobian (6, p - 6) [m/s, rad/s per speed] of a frame in N, eq. 110, for the speeds of `H`."""
        J = np.hstack([self.model.J0(state, frame), self.model.Jm(state, frame)])
        return self.component(state).J_star(J)

    def mass_properties(self, state: State) -> MassProperties:
        """Return `.mass_kg`, `.com_m` from the base CoM and `.inertia_kg_m2` about it of the stack, in base axes."""
        R = dcm_from_quaternion(state.attitude_xyzw)
        return self.component(state).mass_properties(R)

    # Dynamics

    def forward_dynamics(
        self,
        state: State,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        *,
        t: float = 0.0,
        kept: ArrayLike | None = None,
    ) -> Array:
        """Accelerations udot (n_u,) [m/s^2, rad/s^2], eqs 44-46; tau, wrench and wrenches as of `Model.forward_dynamics`.

        Raises `InconsistentConstraints` where no speeds obey all constraints, `ConstraintRankLoss` where no accelerations do,
        and `SingularInertia` where M cannot be inverted.
        """
        return self._driven("accelerations", state, self._applied(state, tau, wrench, wrenches), t, kept)

    def constraint_forces(
        self,
        state: State,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        *,
        t: float = 0.0,
        kept: ArrayLike | None = None,
    ) -> dict[str, Array]:
        """Return what each constraint applies (k,) by its name, in the sense that its kind has; arguments as before.

        Of a redundant set the smallest forces. Raises as `forward_dynamics`.
        """
        return self._by_name(self._driven("forces", state, self._applied(state, tau, wrench, wrenches), t, kept))

    @checked_as(InvalidInput)
    def inverse_dynamics(
        self,
        state: State,
        udot: ArrayLike,
        actuated: Sequence[str] | None = None,
        sharing: Sharing = LEAST_TORQUES,
        *,
        t: float = 0.0,
        kept: ArrayLike | None = None,
    ) -> ConstrainedInverseDynamics:
        """`.tau` (N,) [N m or N] of actuated joints and `.forces` of the constraints, which together produce udot (n_u,).

        udot : what the constraints allow [m/s^2, rad/s^2]; of a floating base also what momentum allows, as no wrench acts
            on it
        actuated : names of joints or of their freedoms, all that are not free if not said; the others give nothing
        sharing : `LeastTorques()` or `NearestForces({"grasp": force})`, which of several ways is taken

        Raises `InvalidState` for accelerations that break a constraint, `NumericalFailure` where the joints cannot give them.
        """
        layout, wanted = self.model.layout, checked("udot", udot, (self.model.layout.n_u,))
        A, speed, M = self._values("rows", state, t, kept)
        self._choose(state, A, speed, M)
        seen = self._seen(state)
        drift = self._rows_at(state, seen, t, kept).drift
        if (missed := mismatch(A, wanted, drift, range(len(A)))) > BROKEN:
            found = f"a row that misses by {missed:.3g} of its size"
            raise InvalidState(Problem("udot", "accelerations that the constraints allow", found))
        needed = self.model.inverse_dynamics(state, wanted)
        forces = needed.tau if layout.fixed else np.concatenate([needed.wrench, needed.tau])
        W = Embedding.of(A, speed, drift, self._choice).W
        task = SharingTask(forces, actuated_speeds(self.model.system, actuated), A, W, 1 / np.sqrt(np.diagonal(M)))
        tau, lambdas = sharing.shared(task, multipliers_of(self.stack, seen, sharing.said))
        return ConstrainedInverseDynamics(tau[layout.joints], self.stack.forces(seen, lambdas))

    def imposed(self, state: State, *, t: float = 0.0, kept: ArrayLike | None = None) -> Imposed:
        """Return what happens when the constraints begin to hold, plastically: u+ is the admissible motion nearest to u.

        Places stay as they are. Nothing but the constraints gives an impulse: wheels turn on, and their relative speeds jump.
        Raises `InvalidState` where a constraint is too far from where it can hold, else as `forward_dynamics`.
        """
        check_state(state, self.model.layout)
        refuse(self.stack.unmet(self._seen(state)), InvalidState)
        A, speed, M = self._values("rows", state, t, kept)
        self._choose(state, A, speed, M, last=self._chosen)
        jump = self._programs.jump(state.hardware, self._seen(state), A, speed, M, self._choice)
        layout, x = self.model.layout, np.array(state.x)
        x[layout.x_u], x[layout.x_actuators] = jump["u"], jump["actuators"]
        return Imposed(state.repacked(x), self._by_name(jump["impulses"]), float(jump["energy_lost"]))

    def imposed_each(
        self,
        states: State,
        *,
        t: ArrayLike = 0.0,
        before: Mapping[str, Array] = NONE_BEFORE,
        values: Mapping[str, Array] = NONE_BEFORE,
    ) -> ImposedEach:
        """Return the same for a batch of n states, of `Full` models, with one choice of speeds for all of them.

        t : [s] one for all or (n,); before : (n, ...) by name, what constraints keep that hold already
        values : (n, ...) of numbers of the system that are inputs, "inertia" (n, n_b, 10) with `RunTimeInertia()`
        A state in which they cannot hold is no error, but told: `ImposedEach.unmet`.
        """
        return ImpositionOfEach(self, states, t, before, values).done()

    # Contacts

    def touches(self, state: State, pairs: Sequence[tuple[str, str]], *, within_m: float) -> list[Touch]:
        """Return where shapes of the system are nearer to each other than `within_m`, from the first of a pair to its second.

        What is here can be given to `impact` and `contact_forces`. Raises `UnknownName`, and `InvalidInput` for pairs whose
        distance is no formula.
        """
        check_state(state, self.model.layout)
        refuse(positive_problems("within_m", within_m))
        expect("pairs", pairs, Sequence, "pairs of names of shapes")
        for pair in pairs:
            refuse([None if _is_pair(pair) else Problem("pairs", "pairs of names of shapes", repr(pair))])
        return shape_touches(self.model.system, self._seen(state), pairs, within_m)

    def contacts(self, state: State, touches: Sequence[Touch]) -> Contacts:
        """Return the rows of bodies that touch, along the axes of each touch, and how fast they change."""
        check_state(state, self.model.layout)
        return touch_rows(self._seen(state), touches, 0.0)

    def impact(
        self,
        state: State,
        touches: Sequence[Touch],
        law: Restitution,
        friction: ArrayLike = 0.0,
        *,
        t: float = 0.0,
        kept: ArrayLike | None = None,
    ) -> Struck:
        """Return what comes of it when bodies that touch strike each other, by a law of restitution and Coulomb friction.

        Places stay as they are; constraints that do not hold yet begin to, plastically. Nothing but touches and constraints
        gives an impulse: wheels turn on, and their relative speeds jump. An energy that rises, several jumps and none are
        values: `Struck.outcome`.

        touches : where bodies touch, at a state in which they do
        law : `impacts.Newton(e)`, `Poisson(e)` or `Energetic(e)`
        friction : coefficient of all touches, a bare number, or (c,) of each

        Raises as `imposed`, and `InvalidInput` for touches of bodies that cannot move against each other.
        """
        M, struck = self._struck(state, touches, friction, t, kept)
        return struck.struck(M, law)

    def pushed(
        self,
        state: State,
        frames: tuple[str, str],
        velocity_m_s: ArrayLike,
        *,
        t: float = 0.0,
        kept: ArrayLike | None = None,
    ) -> Pushed:
        """Return what comes of it when two frames are pushed off each other at once: a spring where a grasp opens.

        The impulse acts at the origin of b on both, without a moment. What holds goes on holding, wheels turn on.

        frames : the names of a and b; velocity_m_s : (3,) what the origin of b gains relative to a, in axes of a

        Raises `InvalidState` for frames that the constraints do not let part so, else as `imposed`.
        """
        check_state(state, self.model.layout)
        refuse(pair_problems("frames", frames))
        v, seen = checked("velocity_m_s", velocity_m_s, (3,)), self._seen(state)
        A, speed, M = self._values("rows", state, t, kept)
        drift = self._rows_at(state, seen, t, kept).drift
        return pushed(self.model, self.stack, seen, state, M, Bilateral(A, speed, drift), frames, v)

    def contact_forces(
        self,
        state: State,
        touches: Sequence[Touch],
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        *,
        friction: ArrayLike = 0.0,
        rest_m_s: float = 1e-9,
        t: float = 0.0,
        kept: ArrayLike | None = None,
    ) -> TouchingMotions:
        """Return accelerations and forces of bodies that touch and do not part at once, with Coulomb friction.

        The place of a touch stays on its second body, the face of the first is flat there. Several motions and none, as of
        what is wedged and of Painleve's rod, are values: `TouchingMotions.answers`; see `impacts.contact_forces`.

        rest_m_s : slip up to this is none, and what approaches or parts at more is refused; other arguments as of
            `impact` and `forward_dynamics`, raises as `impact`
        """
        F = self._applied(state, tau, wrench, wrenches)
        M, struck = self._struck(state, touches, friction, t, kept)
        needed = self.model.inverse_dynamics(state, np.zeros(len(F)))
        rest = needed.tau if self.model.layout.fixed else np.concatenate([needed.wrench, needed.tau])
        return struck.touching(M, F - rest, rest_m_s)

    def _struck(
        self, state: State, touches: Sequence[Touch], friction: ArrayLike, t: float, kept: ArrayLike | None
    ) -> tuple[Array, Struckable]:
        """Return the inertia (n_u, n_u) and all rows at a state in which bodies touch."""
        check_state(state, self.model.layout)
        seen = self._seen(state)
        refuse(self.stack.unmet(seen), InvalidState)
        A, speed, M = self._values("rows", state, t, kept)
        self._choose(state, A, speed, M)
        drift = self._rows_at(state, seen, t, kept).drift
        return M, Struckable.at(self.model, self.stack, state, seen, Bilateral(A, speed, drift), touches, friction)

    def __repr__(self) -> str:
        return f"Constrained({', '.join(map(repr, self.names))})"

    # How

    @property
    def _choice(self) -> Selection:
        if self._chosen is None:
            state = general_position(self.model.system)
            self._choose(state, *self._values("rows", state, 0.0, None))
        assert self._chosen is not None
        return self._chosen

    @cached_property
    def _free(self) -> list[int]:
        """Places in u of the twists of free bodies: what is held to one moves it as if it carried it, wherever both are."""
        n, trees = self.model.layout.n_base, self.model.system.trees[1:]
        return [n + j for tree in trees for j in range(tree.twist.start, tree.twist.stop)]

    def _rows_at(self, state: State, seen: Sight, t: float, kept: ArrayLike | None) -> Rows:
        own = self.kept(state, t=t) if kept is None else checked("kept", kept, (self.stack.n_kept,))
        return self.stack.rows(seen, own, t)

    def _applied(self, state: State, tau: ArrayLike, wrench: ArrayLike | None, wrenches: Wrenches) -> Array:
        """Return the generalized forces (n_u,) of all that is given."""
        check_state(state, self.model.layout)
        joints, base = loaded(self.model, state, lambda key, value, size: checked(key, value, (size,)), tau, wrench, wrenches)
        return joints if self.model.layout.fixed else np.concatenate([base, joints])

    def _by_name(self, values: Array) -> dict[str, Array]:
        return {name: values[at] for name, at in self.stack.rows_of.items()}

    def _values(self, what: str, state: State, t: float, kept: ArrayLike | None, F: Array | None = None) -> list[Array]:
        check_state(state, self.model.layout)
        own = None if kept is None else checked("kept", kept, (self.stack.n_kept,))
        t = t if type(t) is float else float(checked("t", t, ()))
        if what == "rows" and not self.coded:
            rows = self._rows_at(state, self._seen(state), t, own)
            return [rows.A, rows.speed, self.model.M(state)]
        chosen = {} if what == "rows" else {"chosen": self._choice}
        return self._programs.values(what, state.hardware, own, t, F=F, **chosen)

    def _driven(self, what: str, state: State, F: Array, t: float, kept: ArrayLike | None) -> Array:
        """Return the first output of a program, with speeds chosen anew where what it watches asks for that.

        So they are where a result is suspiciously large, because a choice looks at M.
        """
        check_unlocked(self.model.gimbals, state.q, f"in this state of system '{self.model.system.name}'")
        if self._chosen is not None:
            values, (conditioning, missed) = self._values(what, state, t, kept, F)
            if conditioning <= self._bound and missed <= BROKEN and (abs(values) < LARGE).all():
                return values
        self._choose(state, *self._values("rows", state, t, kept))
        values, (conditioning, missed) = self._values(what, state, t, kept, F)
        if not (missed <= BROKEN and np.isfinite(values).all()):
            raise ConstraintRankLoss(
                f"no accelerations of system '{self.model.system.name}' obey {', '.join(map(repr, self.names))} in this state: "
                f"of their {len(self.stack.labels)} rows {self._choice.rank} are independent here and more near it, or it "
                "moves as they do not allow"
            )
        self._bound = max(RESELECT, 2 * float(conditioning))
        return values

    def _embedded(self, state: State, t: float, kept: ArrayLike | None) -> Embedding:
        A, speed, M = self._values("rows", state, t, kept)
        if self._chosen is None or not _conditioning(A, speed, M, self._chosen) <= self._bound:
            self._choose(state, A, speed, M)
        return Embedding.of(A, speed, speed, self._choice)

    def _seen(self, state: State) -> Sight:
        """Return what the constraints see at a state: once for all that is asked about it in a row."""
        last = self._sight
        if last is None or last[0] is not state:
            self._sight = last = state, self._programs.seen(state.hardware)
        return last[1]

    def _choose(self, state: State, A: Array, speed: Array, M: Array, *, last: Selection | None = None) -> None:
        """Choose rows and speeds at a state; raises `InconsistentConstraints` where no u solves A u + speed = 0.

        last : what is chosen again where it is good
        """
        if self.model.gimbals or not (pivots(M) > REGULAR * np.diagonal(M)).all():
            check_regular(self.model.equations(state), self.model.system, "in this state")
        chosen = selection(A, M, NOISE, self._free)
        if chosen.redundant:
            self._check_consistent(chosen, A, speed, M)
        if last is not None and last.rank == chosen.rank and _conditioning(A, speed, M, last) <= GOOD:
            chosen = last
        self._chosen, self._bound = chosen, RESELECT
        self._conditioning = _conditioning(A, speed, M, chosen)

    def _check_consistent(self, chosen: Selection, A: Array, speed: Array, M: Array) -> None:
        """Raise `InconsistentConstraints` where no u that obeys the chosen rows obeys those left out."""
        rows = list(chosen.rows)
        u = imposed(M, A[rows], speed[rows], np.zeros(len(M))).u
        broken = [left for left in chosen.redundant if mismatch(A, u, speed, left[:1]) > BROKEN]
        if broken:
            names = ", ".join(dict.fromkeys(self.stack.labels[i] for i in chain(*broken)))
            missed = ", ".join(
                f"{self.stack.labels[i]} by {abs(A[i] @ u + speed[i]):.6g}{self._rate_unit(i)}" for i, *_ in broken
            )
            said = f"no motion of system '{self.model.system.name}' obeys all of {names} in this state"
            raise InconsistentConstraints(f"{said}: the one that obeys the others misses {missed}")

    def _rate_unit(self, row: int) -> str:
        """Return the unit of how fast a row is missed, by that of its multiplier."""
        return {"N": " m/s", "N m": " rad/s"}.get(self.stack.units[row], "")


def _conditioning(A: Array, speed: Array, M: Array, chosen: Selection) -> float:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # of a choice that is none here
        return float(Embedding.of(A, speed, speed, chosen).conditioning(M))


def _is_pair(given: object) -> bool:
    return isinstance(given, tuple | list) and len(given) == 2

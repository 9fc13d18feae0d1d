"""Errors in impacts and forces of rigid contacts."""

from ..planted import Planted

ERRORS = (
    Planted(
        "contacts feel what constraints hold",
        "impacts/_reduced.py",
        "felt = X - Q @ (Q.T @ X)",
        "felt = X",
    ),
    Planted(
        "what constraints hold is felt by rounding",
        "impacts/_reduced.py",
        "return cls(L, A, Y, Q, np.where(lost, 0.0, felt))",
        "return cls(L, A, Y, Q, felt)",
    ),
    Planted(
        "constraints are held at their drift of the wrong sign",
        "impacts/_contact_forces.py",
        "reduced.motion(reduced.scaled(F), -held.drift)",
        "reduced.motion(reduced.scaled(F), held.drift)",
    ),
    Planted(
        "contacts part at their drift of the wrong sign",
        "impacts/_contact_forces.py",
        "reduced.along(G, free, contacts.drift)",
        "reduced.along(G, free, -contacts.drift)",
    ),
    Planted(
        "a force without friction in a condition is let through",
        "impacts/_problem.py",
        "beyond = np.linalg.norm(f_t, axis=2) - most",
        "beyond = 0 * most",
    ),
    Planted(
        "friction may push with the slip",
        "impacts/_problem.py",
        "f_t * speed[..., None] + most[..., None] * a_t",
        "f_t * speed[..., None] - most[..., None] * a_t",
    ),
    Planted(
        "contacts at rest begin to slide one way only",
        "impacts/_choice.py",
        "for sign in (1.0, -1.0)",
        "for sign in (1.0,)",
    ),
    Planted(
        "forces that are not all determined count as known",
        "impacts/_solution.py",
        "cls(Answers.ONE if known else Answers.ONE_MOTION,",
        "cls(Answers.ONE,",
    ),
    Planted(
        "Newton's contacts part twice",
        "impacts/_newton.py",
        "np.concatenate([e * before,",
        "np.concatenate([2 * e * before,",
    ),
    Planted(
        "Poisson's expansion begins at the speeds before",
        "impacts/_poisson.py",
        "struck.b + struck.W @ f, struck.mu",
        "struck.b, struck.mu",
    ),
    Planted(
        "work is given back by e in place of its square",
        "impacts/_routh.py",
        "end = (1 - e * e) * compressed.work",
        "end = (1 - e) * compressed.work",
    ),
    Planted(
        "slip goes on where it has stopped",
        "impacts/_routh.py",
        "if slip.any() and slip[0] * rate[1] < 0:",
        "if slip.any() and slip[0] * rate[1] > 0:",
    ),
    Planted(
        "slip in space turns the other way",
        "impacts/_routh.py",
        "s[0] * rate[2] - s[1] * rate[1]",
        "s[1] * rate[1] - s[0] * rate[2]",
    ),
    Planted(
        "contacts that feel each other are struck apart",
        "impacts/_energetic.py",
        "group = [one if g == other else g for g in group]",
        "group = [*group]",
    ),
    Planted(
        "slow contacts bounce",
        "impacts/_restitution.py",
        "-v_n > self.plastic_below_m_s",
        "v_n < 0",
    ),
    Planted(
        "energy that rises is not told",
        "impacts/_impact.py",
        "ImpactOutcome.ENERGY_RISES if rises else",
        "",
    ),
    Planted(
        "sweeps let friction grow",
        "impacts/_sweeps.py",
        "return f_t if size <= most else f_t * (most / size)",
        "return f_t",
    ),
)

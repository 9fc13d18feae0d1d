"""The equations behind a run, as MathML, with their numbers in the papers."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_HEAD = '<math xmlns="http://www.w3.org/1998/Math/MathML">'


def equations_used(*, fixed: bool, laws: Iterable[str] = ()) -> tuple[tuple[str, str, str], ...]:
    """Return (MathML, words, source) of the equations of motion of a system and of its laws, each once.

    laws : names of their equations, as `Controller.equations` has them; one that is not known stands for itself

    >>> [(words, source) for _, words, source in equations_used(fixed=False, laws=law.equations)][:2]
    [("momentum, angular about the base's centre of mass", 'Wilde et al. 2018, eq. 42'), ('generalized inertia of
     the arm on its free base', 'Wilde et al. 2018, eq. 45')]
    """
    H, C, tau = _i("H"), _i("C"), _i("τ")
    qdd = _over("q", "¨")
    rows = []
    if fixed:
        motion = _math(_row(H, qdd, _o("+"), C, _o("+"), _sub("g", "q"), _o("="), tau))
        rows.append((motion, "motion of an arm on a held base", "Wilde et al. 2018, eq. 50, with weight"))
    else:
        H0, H0m, Hm = _sub("H", "0"), _sub("H", "0m"), _sub("H", "m")
        momentum = _math(_row(H0, _sub(_over("x", "˙"), "0"), _o("+"), H0m, _over("q", "˙"), _o("="), _i("[P; L]")))
        rows.append((momentum, "momentum, angular about the base's centre of mass", "Wilde et al. 2018, eq. 42"))
        generalized = _row(H, _o("="), Hm, _o("−"), _sup(H0m, "T"), _sup(H0, "−1"), H0m)
        rows.append((_math(generalized), "generalized inertia of the arm on its free base", "Wilde et al. 2018, eq. 45"))
        motion = _math(_row(H, qdd, _o("+"), C, _o("="), tau))
        rows.append((motion, "motion; with momentum, its terms come to C", "Wilde et al. 2018, eqs 44 to 50"))
        jacobian = _row(_sup(_i("J"), "*"), _o("="), _sub("J", "m"), _o("−"), _sub("J", "0"), _sup(H0, "−1"), H0m)
        rows.append((_math(jacobian), "generalized Jacobian", "Wilde et al. 2018, eq. 110"))
    known = _of_laws()
    return (*rows, *(known.get(name, (_math(f"<mtext>{escape(name)}</mtext>"), "a law", "")) for name in dict.fromkeys(laws)))


def _of_laws() -> dict[str, tuple[str, str, str]]:
    """Return the equations of laws by name."""
    tau, u, q, qd, qdd = _i("τ"), _i("u"), _i("q"), _over("q", "˙"), _over("q", "¨")
    away, slower = (_row(_o("("), _sub(what, "D"), _o("−"), what, _o(")")) for what in (q, qd))
    pull = (_sub("K", "P"), away, _o("+"), _sub("K", "D"), slower)
    rates = _row(_sub(qd, "D"), _o("="), _sup("J", "#"))
    led = _row(rates, _o("("), _sub("t", "D"), _o("+"), _i("K"), _i("e"), _o("−"), _i("d"), _o(")"))
    estimated = _row(tau, _o("="), _over("H", "~"), u, _o("+"), _over("C", "~"))
    fed = _row(u, _o("←"), u, _o("+"), _sub(qdd, "D"))
    sprung = _row(tau, _o("="), *pull, _o("+"), _sub("g", "q"))
    slower_frame = _row(_sub("K", "D"), _o("("), _sub("t", "D"), _o("−"), _i("t"), _o(")"))
    s_dot, t_dot = _over("s", "˙"), _sub(_over("t", "˙"), "D")
    answer = slower_frame, _o("+"), _sub("K", "P"), _i("e")
    accelerated = _row(_i("J"), s_dot, _o("="), t_dot, _o("+"), *answer, _o("−"), _i("d"))
    held = _i("D"), _o("("), _i("t"), _o("−"), _sub("t", "D"), _o(")"), _o("−"), _i("K"), _i("e")
    met = _row(_i("Λ"), _o("("), _over("t", "˙"), _o("−"), t_dot, _o(")"), _o("+"), *held, _o("="), _i("F"))
    pulled = _row(tau, _o("="), _sup(_sup(_i("J"), "*"), "T"), _o("("), *answer, _o(")"), _o("−"), _sub("K", "q"), qd)
    falling = _row(_over("L", "˙"), _o("="), _o("−"), _i("K"), _i("L"))
    foreseen = _row(_i("n"), _o("="), _i("n"), _o("("), _i("α"), _o(","), tau, _o(")"))
    within = _row(_o("("), _i("J"), _i("N"), _o(")"))
    ranked = _row(s_dot, _o("←"), s_dot, _o("+"), _sup(within, "#"), _o("("), _i("a"), _o("−"), _i("J"), s_dot, _o(")"))
    wanted = _sup(_i("A"), "T"), _sub("λ", "D")
    pressed = _row(_i("M"), _over("u", "˙"), _o("+"), _i("C"), _o("="), _i("F"), _o("+"), *wanted)
    limited = _row(_sub("a", "min"), _o("≤"), _i("A"), s_dot, _o("≤"), _sub("a", "max"))
    seen = _row(_over("r", "˙"), _o("="), _i("K"), _o("("), _i("w"), _o("−"), _i("r"), _o(")"))
    moved = _i("m"), _over("x", "¨"), _o("+"), _i("D"), _over("x", "˙"), _o("+"), _i("K"), _i("x")
    yielding = _row(*moved, _o("="), _i("Λ"), _i("J"), _sup(_i("M"), "−1"), _i("r"))
    learnt = _row(tau, _o("="), _i("Y"), _over("π", "^"), _o("−"), _i("K"), _i("s"))
    summed = _row(_over("I", "˙"), _o("="), _sub("K", "I"), away, _o("+"), _i("k"), _i("Δτ"))
    passed = _row(_over("y", "˙"), _o("="), _i("ω"), _o("("), tau, _o("−"), _i("y"), _o(")"))
    joints = "joint rates that lead a frame, J that of the mode, J* on a floating base"
    words = "computed torque of the speeds that the mode commands; the tildes are the controller's estimate"
    return {
        "errors": (_math(_row(u, _o("="), *pull)), "input of a law by its errors", "Wilde et al. 2018, eq. 112"),
        "computed_torque": (_math(estimated), words, "Wilde et al. 2018, eq. 115"),
        "feedforward": (_math(fed), "the desired acceleration, added to the input", ""),
        "resolved_rate": (_math(led), joints, "Umetani and Yoshida 1989; Wilde et al. 2018, eq. 111"),
        "resolved_acceleration": (_math(accelerated), "what the mode commands leads a frame", "Luh, Walker and Paul 1980"),
        "momentum_distribution": (_math(falling), "momentum that is taken out", "Dimitrov and Yoshida 2004"),
        "reaction_feedforward": (_math(foreseen), "torque on the base that knows what the arm does to it", "Oda 1996"),
        "impedance": (_math(met), "a frame as a mass on springs and dampers, Λ its own inertia", "Hogan 1985"),
        "transposed_jacobian": (_math(pulled), "springs and dampers at a frame", "Masutani, Miyazaki and Arimoto 1989"),
        "task_priority": (_math(ranked), "tasks, each in what those before it leave", "Siciliano and Slotine 1991"),
        "constraint_force": (_math(pressed), "a constraint that gives the wanted force", "Raibert and Craig 1981"),
        "quadratic_program": (_math(limited), "tasks within what the hardware can do", "Kanoun, Lamiraux and Wieber 2011"),
        "disturbance_observer": (_math(seen), "what pushes, by momentum, taken out of the command", "De Luca and Mattone 2003"),
        "admittance": (_math(yielding), "a frame beside its reference by x, as it is pushed", "Hogan 1985; Khatib 1987"),
        "passivity_adaptive": (_math(learnt), "tracking with masses that are learnt", "Slotine and Li 1987; Wang and Xie 2009"),
        "integral": (_math(summed), "integrals of errors, off which goes what is cut", "Astrom and Hagglund 2006, ch. 3"),
        "low_pass": (_math(passed), "commands through a low pass", "Franklin, Powell and Emami-Naeini 2010"),
        "spring_and_damper": (_math(sprung), "springs, dampers and the arm's weight", "Kane and Levinson 1983, eqs 128 to 133"),
    }


def _math(inner: str) -> str:
    return f"{_HEAD}{inner}</math>"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _i(letter: str) -> str:
    return f"<mi>{letter}</mi>"


def _o(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _made(letter: str) -> str:
    return letter if letter.startswith("<") else _i(letter)


def _sub(letter: str, index: str) -> str:
    return f"<msub>{_made(letter)}<mi>{index}</mi></msub>"


def _sup(letter: str, power: str) -> str:
    return f"<msup>{_made(letter)}<mi>{power}</mi></msup>"


def _over(letter: str, sign: str) -> str:
    return f"<mover>{_made(letter)}<mo>{sign}</mo></mover>"

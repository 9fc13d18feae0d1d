"""The equations behind a run, as MathML, with their numbers in the papers."""

from __future__ import annotations

_HEAD = '<math xmlns="http://www.w3.org/1998/Math/MathML">'


def equations_used(*, fixed: bool, computed_torque: bool) -> tuple[tuple[str, str, str], ...]:
    """Return (MathML, words, source) of the equations of motion of a system, and of its law where that is computed torque."""
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
    if computed_torque:
        law = _row(tau, _o("="), _over(H, "~"), _i("u"), _o("+"), _over(C, "~"))
        rows.append(
            (_math(law), "computed torque; the tildes are the controller's estimate", "Wilde et al. 2018, eqs 112 and 115")
        )
    return tuple(rows)


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

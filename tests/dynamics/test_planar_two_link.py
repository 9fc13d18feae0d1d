"""The planar arm of two links on a free base, all its numbers symbols, against a Lagrangian that SymPy works out alone.

Both are brought over the same denominators, powers of the whole mass m and of m S, where S is the inertia of the system about
its centre of mass; the difference of the numerators, polynomials in masses, lengths, sines and cosines, must cancel.
"""

from functools import cache

import numpy as np
import pytest
import sympy
from sympy.polys.domains import QQ
from sympy.polys.rings import ring

from scmanip import Body, Joint, System, derive
from scmanip.system import Frame

NAMES = "m_0 m_1 m_2 a_1x a_2x l_1x l_2x r_1x I_0zz I_1zz I_2zz qdot_1 qdot_2 s_1 c_1 s_2 c_2"
RING, *GENERATORS = ring(NAMES.replace(" ", ","), QQ)
BY_NAME = dict(zip(NAMES.split(), GENERATORS, strict=True))
m_0, m_1, m_2, a_1, a_2, l_1, l_2, r_1, I_0, I_1, I_2, qdot_1, qdot_2, s_1, c_1, s_2, c_2 = GENERATORS
SYMBOLS = (
    *("body.*.mass_kg", "body.link*.com_m[0]", "body.*.inertia_kg_m2[2]"),
    *("joint.*.origin_m[0]", "frame.tip.origin_m[0]"),
)


def arm():
    def link(name, parent):
        return Body(name, 2.0, [0.25, 0.5, 0.5], [0.5, 0, 0], parent, Joint(f"to_{name}", "revolute", origin_m=[1.0, 0, 0]))

    links = [link("link1", "base"), link("link2", "link1")]
    return System("planar", Body("base", 8.0, [2, 4, 3]), links, frames=[Frame("tip", "link2", [1.0, 0, 0])])


@pytest.fixture(scope="module")
def symbolic():
    return derive(arm(), symbols=SYMBOLS)


def reduced(polynomial):
    """Return a polynomial with the squares of sines told by cosines."""
    for s, c in ((s_1, c_1), (s_2, c_2)):
        place, parts = RING.gens.index(s), {}
        for monomial, coefficient in polynomial.terms():
            rest = (*monomial[:place], monomial[place] % 2, *monomial[place + 1 :])
            parts.setdefault(monomial[place] // 2, []).append((rest, coefficient))
        polynomial = sum((RING.from_terms(terms) * (1 - c**2) ** n for n, terms in parts.items()), RING(0))
    return polynomial


# By hand


def turned(angle, x):
    return np.array([x * angle[0], x * angle[1]], dtype=object)


BASE, FIRST, SECOND = (
    (RING(1), RING(0)),
    (c_1, s_1),
    (c_1 * c_2 - s_1 * s_2, s_1 * c_2 + c_1 * s_2),
)  # cosine, sine of each body
SHOULDER = turned(BASE, l_1)
ELBOW = SHOULDER + turned(FIRST, l_2)
PLACES = (np.array([RING(0), RING(0)]), SHOULDER + turned(FIRST, a_1), ELBOW + turned(SECOND, a_2))
TIP = ELBOW + turned(SECOND, r_1)
JOINTS = (PLACES[0], SHOULDER, ELBOW)  # the base turns about its CoM


def jacobian(place, body):
    """d place / d (x, y, phi, q_1, q_2) over the rate of the angle: of points of body 0, 1 or 2, the base at phi = 0."""
    J = np.array([[RING(0)] * 5 for _ in range(3)], dtype=object)
    J[0, 0] = J[1, 1] = RING(1)
    for k in range(body + 1):
        arm = place - JOINTS[k]
        J[:, 2 + k] = [-arm[1], arm[0], RING(1)]
    return J


@cache
def inertia():
    """Hessian of the kinetic energy in the speeds (x, y, phi, q_1, q_2)."""
    M = np.array([[RING(0)] * 5 for _ in range(5)], dtype=object)
    for body, (m, I) in enumerate(((m_0, I_0), (m_1, I_1), (m_2, I_2))):
        J = jacobian(PLACES[body], body)
        M = M + (J[:2].T @ J[:2]) * m + np.outer(J[2], J[2]) * I
    return np.vectorize(reduced, otypes=[object])(M)


def along(polynomial, k):
    """Return the derivative with respect to q_k."""
    s, c = ((s_1, c_1), (s_2, c_2))[k]
    return reduced(polynomial.diff(s) * c - polynomial.diff(c) * s)


@cache
def adjugate():
    """(adjugate, determinant) of the inertia of the base, so that H0^-1 is their quotient."""
    A = inertia()[:3, :3]
    rows = np.array([np.cross(A[1], A[2]), np.cross(A[2], A[0]), np.cross(A[0], A[1])]).T
    return np.vectorize(reduced, otypes=[object])(rows), reduced((A[0] * rows[:, 0]).sum())


WHOLE = m_0 + m_1 + m_2


@cache
def inertia_about_com():
    """m S, S = det H0 / m^2."""
    quotient, rest = adjugate()[1].div([WHOLE])
    assert rest == 0
    return quotient[0]


class Over:
    """numerator / (m^i (m S)^j)."""

    def __init__(self, numerator, i=0, j=0):
        self.numerator, self.i, self.j = reduced(numerator), i, j

    def at(self, i, j):
        return self.numerator * WHOLE ** (i - self.i) * inertia_about_com() ** (j - self.j)

    def __add__(self, other):
        i, j = max(self.i, other.i), max(self.j, other.j)
        return Over(self.at(i, j) + other.at(i, j), i, j)

    def __sub__(self, other):
        return self + Over(-other.numerator, other.i, other.j)

    def __mul__(self, other):
        return Over(self.numerator * other.numerator, self.i + other.i, self.j + other.j)

    def along(self, k):
        """Return the derivative with respect to q_k."""
        S, n = inertia_about_com(), self.numerator
        return Over(along(n, k) * S - self.j * n * along(S, k), self.i, self.j + 1)


@cache
def H(i, j):
    M, (A, _) = inertia(), adjugate()
    recoil = reduced(M[3 + i, :3] @ A @ M[:3, 3 + j])
    return Over(M[3 + i, 3 + j]) - Over(recoil, 1, 1)


def dH_dq(i, j, k):
    return H(i, j).along(k)


def Hdot(i, j):
    return dH_dq(i, j, 0) * Over(qdot_1) + dH_dq(i, j, 1) * Over(qdot_2)


def C(i):
    rates, half = (Over(qdot_1), Over(qdot_2)), Over(RING(QQ(1, 2)))
    terms = [(dH_dq(i, j, k) - half * dH_dq(j, k, i)) * rates[j] * rates[k] for j in range(2) for k in range(2)]
    return terms[0] + terms[1] + terms[2] + terms[3]


def J_star(row, j):
    if row in (2, 3, 4):
        return Over(RING(0))
    J, M, (A, _) = jacobian(TIP, 2)[{0: 0, 1: 1, 5: 2}[row]], inertia(), adjugate()
    return Over(J[3 + j]) - Over(J[:3] @ A @ M[:3, 3 + j], 1, 1)


def S_U(i, j):
    """Steiner's theorem; Ixx and Iyy of the bodies are numbers."""
    if (i, j) == (2, 2):
        return Over(inertia_about_com(), 1, 0)
    if 2 in (i, j):
        return Over(RING(0))
    masses = (m_0, m_1, m_2)
    r_C = [Over(sum(m * r[k] for m, r in zip(masses, PLACES, strict=True)), 1, 0) for k in range(2)]
    total = Over(RING(2 if (i, j) == (0, 0) else 4 if (i, j) == (1, 1) else 0))
    for c, s in (FIRST, SECOND):
        xx, yy = RING(QQ(1, 4)), RING(QQ(1, 2))
        total += Over({(0, 0): xx * c * c + yy * s * s, (1, 1): xx * s * s + yy * c * c}.get((i, j), (xx - yy) * s * c))
    for m, r in zip(masses, PLACES, strict=True):
        x, y = (Over(r[k]) - r_C[k] for k in range(2))
        total += Over(m) * {(0, 0): y * y, (1, 1): x * x}.get((i, j), Over(RING(-1)) * x * y)
    return total


# From the printed formulas


class Reader:
    """Formulas into quotients of polynomials, line by line."""

    def __init__(self, form):
        self.values = {sympy.Symbol(name, real=True): Over(x) for name, x in BY_NAME.items()}
        self.inverses = {}
        both = {"1": FIRST, "2": (c_2, s_2), "12": SECOND}
        for symbol, _ in form.angles:
            kind, _, joints = str(symbol).partition("_")
            self.values[symbol] = Over(both[joints][kind == "s"])
        for symbol, expression in [*form.legend, *form.parts]:
            self.values[symbol] = self.read(expression)
            self.inverses |= {"m": {symbol: Over(RING(1), 1, 0)}, "S_U33": {symbol: Over(WHOLE, 0, 1)}}.get(str(symbol), {})
        assert all((self.read(1 / s) * self.values[s] - Over(RING(1))).numerator == 0 for s in self.inverses)

    def read(self, expression):
        total = Over(RING(0))
        for term in sympy.Add.make_args(sympy.expand(expression)):
            value = Over(RING(1))
            for factor in sympy.Mul.make_args(term):
                base, power = factor.as_base_exp()
                for _ in range(abs(int(power))):
                    value = value * self._of(base, power < 0)
            total = total + value
        return total

    def _of(self, base, inverse):
        if base.is_Rational:
            return Over(RING(QQ(base.q, base.p) if inverse else QQ(base.p, base.q)))
        if isinstance(base, sympy.sin | sympy.cos):
            return Over(self._wave(base))
        return self.inverses[base] if inverse else self.values[base]

    def _wave(self, base):
        cosine, sine = RING(1), RING(0)
        for term in sympy.Add.make_args(base.args[0]):
            times, angle = term.as_coeff_Mul()
            c, s = (c_1, s_1) if str(angle) == "q_1" else (c_2, s_2)
            for _ in range(abs(int(times))):
                cosine, sine = (
                    cosine * c - int(np.sign(int(times))) * sine * s,
                    sine * c + int(np.sign(int(times))) * cosine * s,
                )
        return sine if isinstance(base, sympy.sin) else cosine


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("H", H),
        ("S_U", S_U),
        ("J_star:tip", J_star),
        pytest.param("dH_dq", dH_dq, marks=pytest.mark.slow),
        pytest.param("Hdot", Hdot, marks=pytest.mark.slow),
        pytest.param("C", C, marks=pytest.mark.slow),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_formulas_of_the_two_link_arm_are_those_of_its_lagrangian(symbolic, name, by_hand):
    form = symbolic.quantity(name).closed_form()
    reader, matrix = Reader(form), form.matrix
    places = np.ndindex(*(n for n in matrix.shape if n > 1))
    for place in places:
        e = matrix[place if len(matrix.shape) == len(place) else (*place, 0)]
        assert (reader.read(e) - by_hand(*place)).numerator == 0, place
    assert all(e.count_ops() < 40 for _, e in form.lines)
    assert {*form.paths.values()} <= {*symbolic.symbols}

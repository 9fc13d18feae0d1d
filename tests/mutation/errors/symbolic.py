"""Errors in recording, simplification, derivatives and display."""

from ..planted import Planted

ERRORS = (
    Planted(
        "the difference of a number and a scalar loses its sign",
        "symbolic/_graph.py",
        "return self._add_number(a, b, -1.0)",
        "return self._add_number(a, b, 1.0)",
    ),
    Planted(
        "a number that leaves a difference keeps its sign",
        "symbolic/_graph.py",
        'sign = sign if x.op == "add" else -sign',
        "sign = sign",
    ),
    Planted(
        "minus a plus b is taken for minus the sum",
        "symbolic/_graph.py",
        "result = self._sum(a, b) if a_negative == b_negative else self._difference(a, b)",
        "result = self._sum(a, b)",
    ),
    Planted(
        "b - a is written as a - b", "symbolic/_graph.py", 'self.negative(self.node("sub", b, a))', 'self.node("sub", b, a)'
    ),
    Planted(
        "c x - x is (c + 1) x",
        "symbolic/_graph.py",
        "return self.multiply(combine(a.args[0], 1.0), b)",
        "return self.multiply(a.args[0] + 1.0, b)",
    ),
    Planted("x - c x is (c - 1) x", "symbolic/_graph.py", "combine(1.0, b.args[0])", "combine(b.args[0], 1.0)"),
    Planted(
        "a b - c a takes the wrong factor out", "symbolic/_graph.py", "common, x, y = p, q, r\n", "common, x, y = p, r, q\n"
    ),
    Planted(
        "cos a cos b + sin a sin b is the cosine of the sum",
        "symbolic/_graph.py",
        "self.subtract(x, y) if plus else self.add(x, y)",
        "self.add(x, y) if plus else self.subtract(x, y)",
    ),
    Planted(
        "the sign of a merged cosine is lost",
        "symbolic/_graph.py",
        'return self.negative(result) if p.op == "sin" and not plus else result',
        "return result",
    ),
    Planted(
        "the sine of a difference has its angles exchanged",
        "symbolic/_graph.py",
        'combine(x, y) if p.op == "sin" else combine(y, x)',
        "combine(x, y)",
    ),
    Planted(
        "the sign of a product of negations is lost",
        "symbolic/_graph.py",
        'negative = (a.op == "neg") != (b.op == "neg")\n        if a.op',
        'negative = (a.op == "neg") and (b.op == "neg")\n        if a.op',
    ),
    Planted(
        "a negative number over a scalar loses its sign",
        "symbolic/_graph.py",
        'negative = (a < 0) != (b.op == "neg")',
        'negative = b.op == "neg"',
    ),
    Planted(
        "a negative power is the positive one",
        "symbolic/_graph.py",
        "return self.divide(1.0, result) if exponent < 0 else result",
        "return result",
    ),
    Planted(
        "the size of an exponential is not known to be itself",
        "symbolic/_graph.py",
        '"abs" and x.op in ("abs", "sqrt", "exp")',
        '"abs" and x.op in ("abs", "sqrt", "tanh")',
    ),
    Planted(
        "the hyperbolic tangent counts as even",
        "symbolic/_graph.py",
        'ODD, EVEN, SYMMETRIC = frozenset({"sin", "tan", "tanh"}), frozenset({"cos", "abs"})',
        'ODD, EVEN, SYMMETRIC = frozenset({"sin", "tan"}), frozenset({"cos", "abs", "tanh"})',
    ),
    Planted(
        "x < x is true",
        "symbolic/_graph.py",
        'return False if a is b else self.node("less", a, b)',
        'return True if a is b else self.node("less", a, b)',
    ),
    Planted(
        "a > b is recorded as a < b", "symbolic/_scalar.py", "self.graph.less(other, self)", "self.graph.less(self, other)"
    ),
    Planted(
        "c - x is recorded as x - c",
        "symbolic/_scalar.py",
        "self.graph.subtract(other, self)",
        "self.graph.subtract(self, other)",
    ),
    Planted(
        "the arguments of arctan2 are exchanged when recorded",
        "symbolic/_scalar.py",
        'self.graph.function("atan2", self, other)',
        'self.graph.function("atan2", other, self)',
    ),
    Planted(
        "the derivative of a quotient forgets the quotient",
        "symbolic/_derivative.py",
        "(dx[0] - y * dx[1]) / x[1]",
        "(dx[0] - dx[1]) / x[1]",
    ),
    Planted("the derivative of a square root lacks its two", "symbolic/_derivative.py", "dx[0] / (2 * y)", "dx[0] / y"),
    Planted(
        "the derivative of a cosine has the wrong sign",
        "symbolic/_derivative.py",
        "-np.sin(x[0]) * dx[0]",
        "np.sin(x[0]) * dx[0]",
    ),
    Planted(
        "the derivative of arctan2 has the wrong sign",
        "symbolic/_derivative.py",
        "(x[1] * dx[0] - x[0] * dx[1])",
        "(x[0] * dx[1] - x[1] * dx[0])",
    ),
    Planted(
        "the derivative of the hyperbolic tangent is that of the tangent",
        "symbolic/_derivative.py",
        "(1 - y * y) * dx[0]",
        "(1 + y * y) * dx[0]",
    ),
    Planted(
        "the derivative of the larger is that of the smaller",
        "symbolic/_derivative.py",
        '"max": lambda x, y, dx: select(less(x[0], x[1]), dx[1], dx[0])',
        '"max": lambda x, y, dx: select(less(x[0], x[1]), dx[0], dx[1])',
    ),
    Planted(
        "the seeds of a second input go to the first",
        "symbolic/_derivative.py",
        "zip(entries, graph.inputs[-1][2], strict=True)",
        "zip(entries, graph.inputs[-1][2][::-1], strict=True)",
    ),
    Planted(
        "steps that only the second output needs are dropped",
        "symbolic/listing/_listing.py",
        "    for output in outputs:\n        for value in output.values:",
        "    for output in list(outputs)[:1]:\n        for value in output.values:",
    ),
    Planted(
        "divisions count as multiplications",
        "symbolic/listing/_operations.py",
        'cls(n["mul"], n["add"] + n["sub"], n["div"], functions)',
        'cls(n["mul"] + n["div"], n["add"] + n["sub"], 0, functions)',
    ),
    Planted(
        "the total leaves functions out",
        "symbolic/listing/_operations.py",
        "self.additions + self.divisions + self.functions",
        "self.additions + self.divisions",
    ),
    Planted(
        "a batch is evaluated without its last block",
        "symbolic/_evaluate.py",
        "range(0, batch[0], BLOCK)",
        "range(0, batch[0] - 1, BLOCK)",
    ),
    Planted(
        "the branches of a shown decision are exchanged",
        "symbolic/shown/_in_sympy.py",
        "sympy.Piecewise((if_true, condition), (if_false, True))",
        "sympy.Piecewise((if_false, condition), (if_true, True))",
    ),
    Planted(
        "shown constants are rounded to halves",
        "symbolic/shown/_in_sympy.py",
        "exact.denominator <= SIMPLE",
        "exact.denominator >= SIMPLE",
    ),
    Planted(
        "the arguments of a recorded minimum are those of a maximum",
        "symbolic/_functions.py",
        'function("min", a, b) if _recorded(a, b) else min(a, b, key=_real)',
        'function("min", a, b) if _recorded(a, b) else max(a, b, key=_real)',
    ),
    Planted(
        "the product of two sines has the other sign",
        "symbolic/shown/_harmonics.py",
        "(-1 if sine_a and sine_b else 1,",
        "(1 if sine_a and sine_b else 1,",
    ),
    Planted(
        "a closed form forgets the power of an inverse",
        "symbolic/shown/_closing.py",
        "product(result, atom(self._inverse_atom(k), power))",
        "product(result, atom(self._inverse_atom(k), 1))",
    ),
    Planted(
        "a shorter coefficient is taken without its sign",
        "symbolic/shown/_coefficients.py",
        "found.append(sign * name)",
        "found.append(name)",
    ),
    Planted(
        "the smaller of two numbers is the larger one in CasADi",
        "symbolic/_casadi.py",
        '"min": casadi.fmin',
        '"min": casadi.fmax',
    ),
    Planted(
        "entries of a matrix run down its columns in CasADi",
        "symbolic/_casadi.py",
        "casadi.vec(array.T).elements()",
        "casadi.vec(array).elements()",
    ),
    Planted(
        "names of CasADi repeat",
        "symbolic/_casadi.py",
        "if option not in taken",
        "if option",
    ),
)

"""Errors in code that programs leave as."""

from ..planted import Planted

NUMBERS = "export/test_code.py::test_code_gives_the_numbers_of_its_program"

ERRORS = (
    Planted(
        "names in comments can end them",
        "export/_names.py",
        'return STRANGE.sub(lambda found: f"[{ord(found.group()):X}]", text)',
        "return text",
    ),
    Planted(
        "arguments may have words of the language", "export/_names.py", "set(reserved), list[str]()", "set[str](), list[str]()"
    ),
    Planted("exported numbers have six digits", "export/_language.py", "return repr(float(value))", 'return f"{value:g}"'),
    Planted(
        "exported numbers lose their sign", "export/_language.py", 'return f"(-{text})" if value < 0 else text', "return text"
    ),
    Planted(
        "the self-test of C lets pass what is not a number",
        "export/_c99.py",
        "!(fabs(found[i] - expected[i]) <= tolerance)",
        "(fabs(found[i] - expected[i]) > tolerance)",
    ),
    Planted("the self-test of C looks at half the numbers", "export/_c99.py", "i < size;", "i < size / 2;"),
    Planted("memory is free before it is read", "export/_pieces.py", "ended[last[value][1]]", "ended[last[value][1] - 1]"),
    Planted("what an output needs is not handed on", "export/_pieces.py", "last[value] = (last[value][0], count)", "pass"),
    Planted(
        "Octave chooses the other number",
        "export/_octave.py",
        "one, other, if_true, if_false = args",
        "one, other, if_false, if_true = args",
        tests=(f"{NUMBERS}[matlab]",),
    ),
    Planted(
        "arrays of MATLAB are transposed",
        "export/_octave.py",
        "np.unravel_index(place, argument.shape))",
        "np.unravel_index(place, argument.shape[::-1])[::-1])",
        tests=(f"{NUMBERS}[matlab]",),
    ),
    Planted(
        "the self-test of Python lets pass what is not a number",
        "export/_python.py",
        "count_nonzero(~(abs(found[{n}] - out{n + 1}) <= {tolerance!r}))",
        "count_nonzero(abs(found[{n}] - out{n + 1}) > {tolerance!r})",
    ),
    Planted("Rust divides the wrong way round", "export/_rust.py", "arg_0/arg_1", "arg_1/arg_0", tests=(f"{NUMBERS}[rust]",)),
    Planted("Python takes the larger of two numbers for the smaller", "export/_python.py", "numpy.minimum(", "numpy.maximum("),
)

"""How many samples, commands and steps of one length a run may have, so that a slip of the pen does not fill the memory."""

from __future__ import annotations

from ...errors import Problem, checked

MOST_SAMPLES = 1_000_000
MOST_COMMANDS = 10_000_000
MOST_STEPS = 10_000_000
MOST_NUMBERS = 2**32  # of all states that an ensemble keeps: 32 GiB
NUMBER = 8  # bytes
COMMAND = 300  # bytes of a sample of a controller: two times, an array, its numbers


def sample_problems(key: str, t_end_s: float, output_step_s: float | None, size: int) -> list[Problem]:
    """Return the problem of too many samples, of `size` numbers each.

    >>> [problem.expected for problem in sample_problems("output_step_s", 1e6, 1e-6, 100)]
    ['at most 1000000 samples in 1e+06 s, so 1 s or more']
    >>> sample_problems("output_step_s", 100.0, 0.1, 100)
    []
    """
    count = 0.0 if output_step_s is None else t_end_s / output_step_s
    if count <= MOST_SAMPLES:
        return []
    hint = f"their states alone would take {memory_text(count * size * NUMBER)}; left out it gives 501 samples"
    return [Problem(key, _step(MOST_SAMPLES, "samples", t_end_s), f"{output_step_s:g}, {count:.3g} samples", hint=hint)]


@checked
def command_problems(key: str, t_end_s: float, rate_Hz: float) -> list[Problem]:
    """Return the problem of a controller that looks at the state too often.

    >>> [str(problem)[:52] for problem in command_problems("rate_Hz", 1e6, 1e6)]
    ['rate_Hz: expected at most 10000000 samples of the co']
    >>> command_problems("rate_Hz", 100.0, 10.0)
    []
    """
    count = t_end_s * rate_Hz
    if count <= MOST_COMMANDS:
        return []
    hint = f"the commands would take {memory_text(count * COMMAND)}; without a rate the controller acts all the time"
    expected = f"at most {MOST_COMMANDS} samples of the controller in {t_end_s:g} s, so at most {MOST_COMMANDS / t_end_s:g} Hz"
    return [Problem(key, expected, f"{rate_Hz:g}, {count:.3g} samples", hint=hint)]


@checked
def step_problems(key: str, t_end_s: float, step_s: float, most: int = MOST_STEPS) -> list[Problem]:
    """Return the problem of too many steps of one length.

    >>> [problem.expected for problem in step_problems("step_s", 1e6, 1e-6)]
    ['at most 10000000 steps in 1e+06 s, so 0.1 s or more']
    """
    count = t_end_s / step_s
    return [] if count <= most else [Problem(key, _step(most, "steps", t_end_s), f"{step_s:g}, {count:.3g} steps")]


def kept_problems(cases: int, outputs: int, size: int) -> list[Problem]:
    """Return the problem of more states of an ensemble than memory is likely to hold."""
    count = cases * outputs * size
    if count <= MOST_NUMBERS:
        return []
    expected = f"at most {memory_text(MOST_NUMBERS * NUMBER)} of states to keep"
    found = f"{cases} runs with {outputs} outputs of {size} numbers, {memory_text(count * NUMBER)}"
    return [Problem("ensemble", expected, found, hint="take fewer outputs, or fewer runs at a time")]


def memory_text(size: float) -> str:
    """Return a size [bytes] in the largest unit of which it is one or more."""
    for power, unit in enumerate(("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")):
        if size < 1024.0 ** (power + 1):
            return f"{size / 1024.0**power:.3g} {unit}"
    return "more than there is"


def _step(most: int, what: str, t_end_s: float) -> str:
    return f"at most {most} {what} in {t_end_s:g} s, so {t_end_s / most:g} s or more"

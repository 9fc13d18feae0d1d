"""Errors in what errors say."""

from ..planted import Planted

FILE = "errors/_errors.py"
ERRORS = (
    Planted(
        "line and column of a problem are exchanged",
        FILE,
        "{self.file}:{self.line}:{self.column}: ",
        "{self.file}:{self.column}:{self.line}: ",
    ),
    Planted("a problem without a line does not name its file", FILE, '(f"{self.file}: " if self.file else "")', '""'),
    Planted(
        "expected and found are exchanged",
        FILE,
        "expected {_in_few_words(self.expected)}, found {_in_few_words(self.found)}",
        "expected {_in_few_words(self.found)}, found {_in_few_words(self.expected)}",
    ),
    Planted("the hint of a problem is left out", FILE, 'if self.hint else ""', 'if not self.hint else ""'),
    Planted(
        "twenty problems of all files together are shown",
        FILE,
        "seen[problem.file] += 1\n            if seen[problem.file] <= MOST_SHOWN",
        "seen[problem.file] += 1\n            if seen.total() <= MOST_SHOWN",
    ),
    Planted(
        "nineteen problems of a file are shown",
        FILE,
        "if seen[problem.file] <= MOST_SHOWN",
        "if seen[problem.file] < MOST_SHOWN",
    ),
    Planted(
        "problems that are shown count among those that are not",
        FILE,
        "more = len(self._different) - len(self.shown)",
        "more = len(self._different)",
    ),
    Planted(
        "a mistake that is made again is told without its lines",
        FILE,
        "again=(*first.again, problem.line)",
        "again=first.again",
    ),
    Planted("a long text is cut without a sign", FILE, 'f"{text[:_LONGEST_TEXT]} ..."', "text[:_LONGEST_TEXT]"),
    Planted("the nearest name is offered however far it is", FILE, "cutoff=0.6", "cutoff=0.0"),
    Planted("a value of the right kind is refused", FILE, "if not isinstance(value, kind):", "if isinstance(value, kind):"),
)

"""Stretch after stretch without a return to Python: at each start quaternions are normalised and one parameter changes."""

from __future__ import annotations

from ..kernel._code import Value
from ..kernel._flow import Flow
from ._ode_adaptive import ADAPTIVE, DONE, NOT_FINITE, TOO_MANY_STEPS
from ._ode_layout import ENDS, SHAPE_PARTS, SHAPES, WIDTH
from ._ode_steps import PARAMETERS

WORDS = 12  # of `plan`
UNIT = "unit"
STOPS, ROWS, SIZE, TARGET, QUATERNIONS, PLACES, NUMBER, COUNT, RESUMED, ASK, ANSWERED, FIRST = range(WORDS)


def route_source(code: Flow, name: str) -> list[str]:
    """Return the function; like `adaptive` it has `numbers` and `counts`, the counts of which are those of all stretches.

    `plan`: addresses and counts. Stops (m,); rows (m, size) of the parameter that lies at the target; places of quaternions
    in y and how many; the number of the stretch to begin with, afterwards of the one that was not finished; how many there
    are; whether the first one is resumed, with the step that `numbers` holds, afterwards whether the next one must be; whom to
    call at the start of every stretch, or 0, and whether that is well, 1 before; the first step of every stretch, a double, as
    in `adaptive`, NaN where steps go on as they were. The state at the end has the place of that at the start.
    """
    route = _Route(code)
    with code.during(lambda: route.on.value.equals(1) & (route.number.value < route.word(COUNT))):
        route.stretch()
    code.store(code.chosen(route.status.value.equals(DONE), 0, code.typed(1, "i64")), "%plan", RESUMED)
    with code.when(route.status.value.equals(DONE) & (route.number.value < route.word(COUNT))):
        route.status.set(TOO_MANY_STEPS)
    for place, total in zip(range(2, 6), (route.taken, route.evaluations, route.status, route.stored), strict=True):
        code.store(total.value, "%counts", place)
    code.store(route.number.value, "%plan", NUMBER)
    return code.function(name, f"{PARAMETERS}, ptr %plan")


def unit_source(code: Flow, name: str) -> list[str]:
    """Return the function that gives the quaternions at some places of y norm 1."""
    with code.loop(Value(code, "%count", "i64")) as number:
        start = code.load("i64", "%places", number)
        entries = [code.load("double", "%y", start + k) for k in range(4)]
        total = entries[0] * entries[0]
        for entry in entries[1:]:
            total = total + entry * entry
        norm = code.root(total)
        for k, entry in enumerate(entries):
            code.store(entry / norm, "%y", start + k)
    return code.function(name, "ptr %y, ptr %places, i64 %count")


class _Route:
    """The parts of the function."""

    def __init__(self, code: Flow) -> None:
        self.code = code
        self.n = code.load("i64", "%sizes")
        places = [code.load("ptr", "%arrays", k).name for k in (0, 3, 4, ENDS, SHAPES)]
        self.y_0, self.times, self.samples, self.ends, self.shapes = places
        self.shaped = ~code.load("i64", "%arrays", SHAPES).equals(0)
        self.allowed, self.wanted = (code.load("i64", "%counts", k) for k in range(2))
        self.number, self.fresh = code.cell("i64", self.word(NUMBER)), code.cell("i64", 1 - self.word(RESUMED))
        self.on = code.cell("i64", 1)
        self.taken, self.evaluations, self.status, self.stored = (code.cell("i64", k) for k in (0, 0, DONE, 0))

    def word(self, place: int) -> Value:
        """Append reading a word of the plan."""
        return self.code.load("i64", "%plan", place)

    def stretch(self) -> None:
        """Append one stretch."""
        code, number = self.code, self.number.value
        with code.when(self.fresh.value.equals(1)):
            places = (self.y_0, code.load("ptr", "%plan", PLACES).name)
            code.line(f"call void @{UNIT}(ptr {places[0]}, ptr {places[1]}, i64 {self.word(QUATERNIONS).name})")
            self._take_row(number)
            first = code.load("double", "%plan", FIRST)
            with code.when(first.equals(first)):
                code.store(first, "%numbers", 3)
            self._ask()
        self.fresh.set(1)
        self.status.set(NOT_FINITE)
        with code.when(self.word(ANSWERED).equals(1)):
            code.store(code.load("double", code.load("ptr", "%plan", STOPS).name, number), "%numbers", 1)
            self._call()
        with code.when(self.status.value.equals(DONE)):
            self.number.set(number + 1)
        with code.when(~(self.status.value.equals(DONE) & (self.taken.value < self.allowed))):
            self.on.set(0)

    def _ask(self) -> None:
        code, whom = self.code, self.word(ASK)
        with code.when(~whom.equals(0)):
            code.store(code.typed(0, "i64"), "%plan", ANSWERED)
            function = code.value(f"inttoptr i64 {whom.name} to ptr")
            code.line(f"call void {function}(ptr %plan)")

    def _take_row(self, number: Value) -> None:
        code, size = self.code, self.word(SIZE)
        rows, target = (code.load("ptr", "%plan", place).name for place in (ROWS, TARGET))
        with code.loop(size) as entry:
            code.store(code.load("double", rows, number * size + entry), target, entry)

    def _call(self) -> None:
        code, stored = self.code, self.stored.value
        code.store(Value(code, code.place("double", self.times, stored), "ptr"), "%arrays", 3)
        code.store(Value(code, code.place("double", self.samples, stored * self.n), "ptr"), "%arrays", 4)
        code.store(Value(code, code.place("double", self.ends, self.taken.value), "ptr"), "%arrays", ENDS)
        with code.when(self.shaped):
            done = self.taken.value * ((self.n + (WIDTH - 1)) / WIDTH * (WIDTH * SHAPE_PARTS))
            code.store(Value(code, code.place("double", self.shapes, done), "ptr"), "%arrays", SHAPES)
        code.store(self.allowed - self.taken.value, "%counts", 0)
        code.store(self.wanted - stored, "%counts", 1)
        for place in range(2, 6):
            code.store(code.typed(0, "i64"), "%counts", place)
        names = [parameter.split()[-1] for parameter in PARAMETERS.split(", ")]
        types = [parameter.split()[0] for parameter in PARAMETERS.split(", ")]
        code.line(f"call void @{ADAPTIVE}({', '.join(map(' '.join, zip(types, names, strict=True)))})")
        for place, total in ((2, self.taken), (3, self.evaluations), (5, self.stored)):
            total.set(total.value + code.load("i64", "%counts", place))
        self.status.set(code.load("i64", "%counts", 4))

"""Plans and evaluators without physics, whose workers can be made to raise, hang or die."""

import json
import math
import os
import signal
import threading
import time
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np

from scmanip.study import Case, Row, Status


@dataclass(frozen=True)
class ToyPlan:
    cases: int
    seed: int = 7

    columns = ("mass_kg", "rate[0]", "rate[1]", "mode")

    @property
    def text(self):
        return json.dumps({"cases": self.cases, "seed": self.seed, "design": {"mode": ["floating", "flying"]}})

    @property
    def key(self):
        return sha256(self.text.encode()).hexdigest()

    def case(self, number):
        draws = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(number,))).normal(size=3)
        mode = ("floating", "flying")[number % 2]
        values = {"mass_kg": 5.0 + draws[0], "rate": (float(draws[1]), float(draws[2])), "mode": mode}
        return Case(number, number // 10, number % 10, values)

    def cases_between(self, first, last):
        return [self.case(number) for number in range(first, last)]


@dataclass(frozen=True)
class QuickPlan(ToyPlan):
    """Cases that cost next to nothing."""

    def case(self, number):
        values = {"mass_kg": 5.0 + number % 7, "rate": (0.1 * number, 0.3), "mode": "floating"}
        return Case(number, number, 0, values)


@dataclass(frozen=True)
class Toy:
    """failing: numbers of cases that are rows with a reason; raising, hanging, killing: what these do to their block."""

    mission: str = "toy"
    seconds: float = 0.0
    failing: frozenset = frozenset()
    raising: frozenset = frozenset()
    killing: frozenset = frozenset()
    hanging: frozenset = frozenset()
    unmakeable: bool = False
    interrupting: frozenset = frozenset()
    log: str = field(default="", compare=False)

    @property
    def key(self):
        return sha256(self.mission.encode()).hexdigest()

    def evaluator(self):
        if self.unmakeable:
            raise ValueError("no such body")
        return ToyEvaluator(self)


class ToyEvaluator:
    def __init__(self, recipe):
        self.recipe = recipe

    def rows(self, cases):
        return [self.row(case) for case in cases]

    def row(self, case):
        recipe = self.recipe
        if recipe.log:
            with open(recipe.log, "a") as log:
                log.write(f"{case.number}\n")
        if recipe.seconds:
            time.sleep(recipe.seconds)
        if case.number in recipe.killing:
            os.kill(os.getpid(), signal.SIGKILL)
        if case.number in recipe.hanging:
            threading.Event().wait(300)
        if case.number in recipe.interrupting:
            raise KeyboardInterrupt
        if case.number in recipe.raising:
            raise ZeroDivisionError("inertia\nis singular")
        if case.number in recipe.failing:
            return Row(case, Status.DIVERGED, {"peak_Nm": math.nan, "turn_deg": 1.0}, "left the model's range, quickly")
        mass, rate = case.values["mass_kg"], case.values["rate"]
        return Row(case, Status.COMPLETED, {"peak_Nm": math.sin(mass) / 3.0, "turn_deg": rate[0] * 1e-17 + rate[1]})

    def kept(self, case):
        if case.number in self.recipe.killing:
            os.kill(os.getpid(), signal.SIGKILL)
        return f"history of {case.number} {sorted(case.values)}".encode()

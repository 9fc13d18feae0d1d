"""Many cases: what is varied, how cases are drawn, run and kept, and what they say together. Knows no missions."""

from ._case import Case as Case
from ._case import Row as Row
from ._case import Status as Status
from ._case import Value as Value
from ._recipe import Evaluator as Evaluator
from ._recipe import Recipe as Recipe

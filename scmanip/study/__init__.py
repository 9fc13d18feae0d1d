"""Many cases: what is varied, how cases are drawn, run and kept, and what they say together. Knows no missions."""

from ._case import Case as Case
from ._case import Row as Row
from ._case import Status as Status
from ._case import Value as Value
from ._dispersions import Correlated as Correlated
from ._dispersions import Dispersion as Dispersion
from ._dispersions import How as How
from ._dispersions import dispersed as dispersed
from ._dispersions import uniform_ball as uniform_ball
from ._distribution import Distribution as Distribution
from ._distribution import UniformBall as UniformBall
from ._plan import Plan as Plan
from ._recipe import Evaluator as Evaluator
from ._recipe import Recipe as Recipe
from ._sampling import FullFactorial as FullFactorial
from ._sampling import LatinHypercube as LatinHypercube
from ._sampling import Sampling as Sampling
from ._sampling import Sobol as Sobol
from ._variables import Levels as Levels
from ._variables import Span as Span
from ._variables import Variable as Variable
from ._variables import grid as grid
from ._variables import levels as levels
from ._variables import span as span

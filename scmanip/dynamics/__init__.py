"""The papers: every line could carry an equation number."""

from ._batch import Batch as Batch
from ._compile_model import compile_model as compile_model
from ._derivation import inertia_table as inertia_table
from ._equations import Equations as Equations
from ._implementation import FoldedInertia as FoldedInertia
from ._implementation import Full as Full
from ._implementation import Partial as Partial
from ._implementation import Reference as Reference
from ._implementation import RunTimeInertia as RunTimeInertia
from ._inertia import Geometry as Geometry
from ._jacobians import arm_jacobian as arm_jacobian
from ._jacobians import base_jacobian as base_jacobian
from ._jacobians import generalized_jacobian as generalized_jacobian
from ._jacobians import resolved_joint_rates as resolved_joint_rates
from ._model import Model as Model
from ._parameters import Parameters as Parameters
from ._quantities import QUANTITIES as QUANTITIES
from ._quantities import Asked as Asked
from ._results import BodyMomentum as BodyMomentum
from ._results import FloatingInverseDynamics as FloatingInverseDynamics
from ._results import InverseDynamics as InverseDynamics
from ._results import Momentum as Momentum
from ._results import Point as Point
from ._symbolic_model import SymbolicModel as SymbolicModel
from ._symbolic_model import SymbolicQuantity as SymbolicQuantity
from ._symbolic_model import derive as derive

"""The papers: every line could carry an equation number."""

from ._batch import Batch as Batch
from ._equations import BodyMomentum as BodyMomentum
from ._equations import Equations as Equations
from ._equations import FloatingInverseDynamics as FloatingInverseDynamics
from ._equations import InverseDynamics as InverseDynamics
from ._equations import Momentum as Momentum
from ._equations import Point as Point
from ._inertia import Geometry as Geometry
from ._jacobians import arm_jacobian as arm_jacobian
from ._jacobians import base_jacobian as base_jacobian
from ._jacobians import generalized_jacobian as generalized_jacobian
from ._jacobians import resolved_joint_rates as resolved_joint_rates
from ._kernel import Kernel as Kernel
from ._model import Model as Model
from ._model import compile_model as compile_model
from ._parameters import Parameters as Parameters

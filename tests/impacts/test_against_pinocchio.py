"""Forces of many contacts against two solvers of Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest
from numpy.testing import assert_allclose

from scmanip.impacts import Answers, swept

from .rows import random_problem

if not hasattr(pin, "PGSConstraintSolver"):
    pytest.skip("this Pinocchio has no solvers of frictional contact", allow_module_level=True)


def of_pinocchio(problem, name):
    """Impulses as Pinocchio finds them, whose contacts are [tangent, tangent, normal] each."""
    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "free")
    models, data = pin.StdVec_ConstraintModel(), pin.StdVec_ConstraintData()
    for mu in problem.mu:
        contact = pin.PointContactConstraintModel(model, 0, pin.SE3.Identity(), 1, pin.SE3.Identity())
        contact.setFriction(mu)
        models.append(pin.ConstraintModel(contact))
        data.append(models[len(models) - 1].createData())
    places = [j for i in range(problem.c) for j in (*range(problem.b.size)[problem.tangents(i)], i)]
    settings, result = getattr(pin, f"{name}SolverSettings")(), getattr(pin, f"{name}SolverResult")()
    settings.max_iterations, settings.solve_ncp = 100_000, True
    for bound in ("absolute_feasibility", "absolute_complementarity", "relative_feasibility", "relative_complementarity"):
        setattr(settings, f"{bound}_tol", 1e-13)
    solver = getattr(pin, f"{name}ConstraintSolver")(problem.b.size)
    W = pin.DelassusOperatorDense(np.ascontiguousarray(problem.W[np.ix_(places, places)]))
    assert solver.solve(W, problem.b[places], models, data, settings, result)
    f = np.zeros(problem.b.size)
    f[places] = np.ravel(np.array(result.retrieveConstraintImpulses()))
    return f


@pytest.mark.parametrize("name", ["ADMM", "PGS"])
@pytest.mark.parametrize("c", [3, 6, 9])
def test_forces_of_many_contacts_are_those_of_pinocchio(name, c):
    problem = random_problem(np.random.default_rng(c), c, 2)
    found = swept(problem)
    assert found.answers is Answers.FOUND
    assert_allclose(found.f[0], of_pinocchio(problem, name), atol=1e-10)

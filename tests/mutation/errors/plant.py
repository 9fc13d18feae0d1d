"""Errors in the right-hand side of a plant, its books and its key."""

from ..planted import Planted

BOOKS = ("simulation/test_ledgers.py", "plant/test_actuator_books.py")
ERRORS = (
    Planted(
        "the power of joints is counted without their sign",
        "plant/_actuator_books.py",
        "joints = force.tau @ now.qdot",
        "joints = abs(force.tau @ now.qdot)",
        tests=BOOKS,
    ),
    Planted(
        "the power of joints takes efforts for rates",
        "plant/_actuator_books.py",
        "joints = force.tau @ now.qdot",
        "joints = force.tau @ force.tau + 0 * now.qdot[0]",
        tests=BOOKS,
    ),
    Planted(
        "what pushes the base does no work",
        "plant/_actuator_books.py",
        "joints + force.external @ now.u[self._system.layout.base]",
        "joints",
        tests=BOOKS,
    ),
    Planted(
        "the impulse of a push takes moments about the base",
        "plant/_actuator_books.py",
        "[f, n - cross(now.r_0C, f), burnt]",
        "[f, n, burnt]",
        tests=BOOKS,
    ),
    Planted(
        "the impulse of a push takes moments about a point on the other side",
        "plant/_actuator_books.py",
        "[f, n - cross(now.r_0C, f), burnt]",
        "[f, n + cross(now.r_0C, f), burnt]",
        tests=BOOKS,
    ),
    Planted(
        "friction in joints takes nothing",
        "plant/_actuator_books.py",
        "power = self._system.friction.force(now.qdot) @ now.qdot +",
        "power = 0 * self._system.friction.force(now.qdot) @ now.qdot +",
        tests=(*BOOKS, "simulation/test_springs.py"),
    ),
    Planted(
        "dampers between points take half",
        "plant/_actuator_books.py",
        "self._dampers @ now.spring_rates**2 if",
        "self._dampers @ now.spring_rates**2 / 2 if",
        tests=(*BOOKS, "simulation/test_springs.py"),
    ),
    Planted(
        "what loads do to the joints is lost",
        "plant/_plant.py",
        "tau + acting.force[layout.joints]",
        "tau + 0 * acting.force[layout.joints]",
        tests=("loads/test_motion.py", "loads/test_books.py"),
    ),
    Planted(
        "where wheels and thrusters push, loads do not",
        "plant/_plant.py",
        "outside if wrench is None else wrench + outside",
        "outside if wrench is None else wrench",
        tests=("plant/test_plant.py", "loads/test_motion.py"),
    ),
    Planted(
        "the clock of the loads is that of the run",
        "plant/_plant.py",
        "load.wrenches(bodies, t + clock[0])",
        "load.wrenches(bodies, t + 0 * clock[0])",
        tests=("plant/test_plant.py",),
    ),
    Planted(
        "the clock of the orbit begins at its epoch",
        "plant/_plant.py",
        "self.clock_s + since",
        "self.clock_s + 0 * since",
        tests=("loads/test_books.py", "plant/test_plant.py"),
    ),
    Planted(
        "the ground takes the moment of loads about the system's centre of mass",
        "plant/_plant.py",
        "np.cross(batch.r_0C(states), load[:, :3])",
        "0 * np.cross(batch.r_0C(states), load[:, :3])",
        tests=("plant/test_plant.py",),
    ),
    Planted(
        "the rate of a quaternion of the base has the joints' speeds",
        "plant/_state_rates.py",
        "u[layout.base_angular])",
        "u[:3] + 0 * u[layout.base_angular])",
        tests=("simulation/test_contracts.py",),
    ),
)

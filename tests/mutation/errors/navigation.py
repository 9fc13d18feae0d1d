"""Errors in sensors and estimators."""

from ..planted import Planted

ERRORS = (
    Planted(
        "a gyro has noise as if it looked at once",
        "navigation/_gyro.py",
        "np.sqrt(self.angle_walk_rad_rt_s**2 / T + self.rate_walk_rad_s_rt_s**2 * T / 12)",
        "np.sqrt(self.angle_walk_rad_rt_s**2 / T)",
    ),
    Planted(
        "a gyro says the bias at the end of its turn",
        "navigation/_gyro.py",
        "rate + (bias + memory.bias) / 2 + mean",
        "rate + bias + mean",
    ),
    Planted("a bias walks as fast whatever the period", "navigation/_gyro.py", "np.sqrt(T) * noise[3:6]", "noise[3:6]"),
    Planted(
        "a star tracker is off about the axes of the base",
        "navigation/_star_tracker.py",
        "self.axes(instant.system) @ (self.noise_rad * noise)",
        "self.noise_rad * noise",
    ),
    Planted(
        "a camera sees what is behind it",
        "navigation/_camera.py",
        "place[2] < range_m * np.cos(self.half_angle_rad)",
        "abs(place[2]) < range_m * np.cos(self.half_angle_rad)",
    ),
    Planted("a camera says how far away things are in N", "navigation/_camera.py", "dcm_from_quaternion(own).T @ way", "way"),
    Planted("noise does not grow with range", "navigation/_camera.py", "self.noise_m_per_m * range_m", "self.noise_m_per_m"),
    Planted("what a camera saw is known at once", "navigation/_outlet.py", "sample + late", "sample"),
    Planted(
        "a held reading has noise of its own each time",
        "navigation/_outlet.py",
        "sensor.name, sample // every",
        "sensor.name, sample",
    ),
    Planted("cases have one chance", "navigation/_noise.py", 'f"{seed} {case} {name}"', 'f"{seed} {name}"'),
    Planted("seed and case are one number", "navigation/_noise.py", 'f"{seed} {case} {name}"', 'f"{seed}{case} {name}"'),
    Planted(
        "the attitude filter carries its bias as if it helped",
        "navigation/_attitude_filter.py",
        "[dcm_from_quaternion(step).T, -J * T]",
        "[dcm_from_quaternion(step).T, J * T]",
    ),
    Planted(
        "the attitude filter carries errors the wrong way round",
        "navigation/_attitude_filter.py",
        "[dcm_from_quaternion(step).T, -J * T]",
        "[dcm_from_quaternion(step), -J * T]",
        tests=(
            "navigation/test_estimators.py::test_attitude_and_bias_are_as_wrong_as_the_filter_says_of_a_base_that_turns_and_starts_lost",
        ),
    ),
    Planted(
        "the attitude filter tells the rate with its bias",
        "navigation/_attitude_filter.py",
        "gyro.values - bias",
        "gyro.values",
    ),
    Planted(
        "a target turns without its gyroscopic torque",
        "navigation/_target_state.py",
        "each = -S * (J * omega)",
        "each = S * (J * omega)",
    ),
    Planted(
        "how the arm turns is forgotten",
        "navigation/_target_filter.py",
        "(TURN, -R @ skew(target.arm)), ",
        "",
    ),
    Planted(
        "the target stays where it was last seen",
        "navigation/_target_filter.py",
        "return TargetEstimate(target, P, *self._carried(target, P, known.now_s))",
        "return TargetEstimate(target, P, target, P)",
    ),
    Planted(
        "the momentum observer forgets that the inertia changes",
        "navigation/_momentum_observer.py",
        "return M @ u, given + M_dot @ u",
        "return M @ u, given",
    ),
    Planted(
        "a low pass of rates lets through what it should hold",
        "navigation/_differentiator.py",
        "left * memory.rates + (1 - left) * found",
        "(1 - left) * memory.rates + left * found",
    ),
    Planted(
        "a covariance forgets the noise of what was measured",
        "navigation/_kalman.py",
        "left @ P @ left.T + K @ R @ K.T",
        "left @ P @ left.T",
    ),
)

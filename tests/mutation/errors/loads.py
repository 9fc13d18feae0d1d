"""Errors in orbits, gravity and the books of what comes from outside."""

from ..planted import Planted

ERRORS = (
    Planted(
        "an orbit is given from the centre by its periapsis",
        "loads/_orbit.py",
        "return (a * (cos(E) - e)) * P",
        "return (a * (cos(E) + e)) * P",
    ),
    Planted(
        "the velocity in orbit lacks the anomaly's rate",
        "loads/_orbit.py",
        "E_dot = self.mean_motion_rad_s / (1 - self.eccentricity * cos(E))",
        "E_dot = self.mean_motion_rad_s",
    ),
    Planted(
        "an eccentric anomaly takes the true one's roots exchanged",
        "loads/_orbit.py",
        "math.sqrt(1 - e) * math.sin(half), math.sqrt(1 + e) * math.cos(half)",
        "math.sqrt(1 + e) * math.sin(half), math.sqrt(1 - e) * math.cos(half)",
    ),
    Planted(
        "node and inclination turn in the other order",
        "loads/_orbit.py",
        "dcm_from_axis_angle(z, self.raan_rad) @ dcm_from_axis_angle(x, self.inclination_rad)",
        "dcm_from_axis_angle(x, self.inclination_rad) @ dcm_from_axis_angle(z, self.raan_rad)",
    ),
    Planted(
        "an altitude counts from the centre",
        "loads/_orbit.py",
        "a = body.radius_m + altitude_m if",
        "a = altitude_m + 0 * body.radius_m if",
    ),
    Planted(
        "the orbital frame is given transposed",
        "loads/_orbit.py",
        "return transpose(np.array([x, cross(z, x), z]))",
        "return np.array([x, cross(z, x), z])",
    ),
    Planted(
        "the orbital rate is the mean one",
        "loads/_orbit.py",
        "return (h / self._distance(t) ** 2) * self._perifocal[2]",
        "return (h / self.semi_major_axis_m**2) * self._perifocal[2]",
    ),
    Planted(
        "a velocity from the orbital frame lacks the frame's own",
        "loads/_orbit.py",
        "R_NO @ rho_dot + cross(self.orbital_rate(t), r)",
        "R_NO @ rho_dot",
    ),
    Planted(
        "a velocity to the orbital frame has the frame's added",
        "loads/_orbit.py",
        "R_ON @ (v - cross(self.orbital_rate(t), r))",
        "R_ON @ (v + cross(self.orbital_rate(t), r))",
    ),
    Planted(
        "a later clock runs backwards",
        "loads/_orbit.py",
        "self.mean_anomaly_rad + self.mean_motion_rad_s * seconds",
        "self.mean_anomaly_rad - self.mean_motion_rad_s * seconds",
    ),
    Planted("Kepler's equation is solved by one step", "loads/_kepler.py", "NEWTON_STEPS = 10", "NEWTON_STEPS = 1"),
    Planted(
        "Newton's slope in Kepler's equation has the wrong sign",
        "loads/_kepler.py",
        "(1 - e * cos(M + x))",
        "(1 + e * cos(M + x))",
    ),
    Planted(
        "differential gravity lacks half of its cross term",
        "loads/_differential_gravity.py",
        "q = ((r * (r + 2 * R))",
        "q = ((r * (r + R))",
    ),
    Planted(
        "gravity gradient has the factor 1 of a force",
        "loads/_differential_gravity.py",
        "return rho / size, 3 * mu / (rho2 * size)",
        "return rho / size, mu / (rho2 * size)",
    ),
    Planted(
        "gravity gradient turns the other way",
        "loads/_differential_gravity.py",
        "return scale * cross(rho_hat, _times(I, rho_hat))",
        "return scale * cross(_times(I, rho_hat), rho_hat)",
    ),
    Planted(
        "the force on second moments lacks its five",
        "loads/_differential_gravity.py",
        "along = trace - 5 * (rho_hat",
        "along = trace - 3 * (rho_hat",
    ),
    Planted(
        "the force on second moments pushes",
        "loads/_differential_gravity.py",
        "- scale / (2 * rho) * (along",
        "+ scale / (2 * rho) * (along",
    ),
    Planted(
        "the generalized force on the base takes moments about the system's centre of mass",
        "loads/_body_wrenches.py",
        "moment = (self.n + cross(g.r_0i, self.f)).sum(axis=0)",
        "moment = (self.n + cross(g.r_0i - base_to_com(g), self.f)).sum(axis=0)",
    ),
    Planted(
        "the resultant takes moments about the base",
        "loads/_body_wrenches.py",
        "lever = g.r_0i - base_to_com(g)",
        "lever = g.r_0i",
    ),
    Planted(
        "moments on bodies do not reach the joints",
        "loads/_body_wrenches.py",
        "self.f[:, None, :] @ g.J_T + self.n[:, None, :] @ g.J_R",
        "self.f[:, None, :] @ g.J_T",
    ),
    Planted(
        "the books integrate the momentum and not the velocity",
        "loads/_external.py",
        "row[:3] / mass_kg, [power]",
        "row[:3], [power]",
    ),
    Planted(
        "the books of a second run begin without drift",
        "loads/_external.py",
        "displacement + drift + part.displacement",
        "displacement + part.displacement",
    ),
    Planted(
        "the drift of joined books counts from zero",
        "loads/_external.py",
        "np.outer(t - t[0], impulse / mass_kg)",
        "np.outer(t, impulse / mass_kg)",
    ),
    Planted(
        "Clohessy and Wiltshire's drift along the track is three quarters",
        "loads/_clohessy_wiltshire.py",
        "(4 * s - 3 * n * t) / n",
        "(3 * s - 3 * n * t) / n",
    ),
    Planted(
        "the time since the epoch is the anomaly",
        "loads/_gravity.py",
        "self.orbit.mean_anomaly_rad / orbit.mean_motion_rad_s",
        "self.orbit.mean_anomaly_rad",
    ),
    Planted(
        "gravity of an orbit takes bodies where they are from the base",
        "loads/_bodies.py",
        "self.equations.r_0 + self.geometry.r_0i",
        "self.geometry.r_0i",
    ),
    Planted(
        "the highest point of an orbit is told as its lowest",
        "loads/_gravity.py",
        "{(a * (1 + e) - low) / 1e3:.6g}",
        "{(a * (1 - e) - low) / 1e3:.6g}",
    ),
)

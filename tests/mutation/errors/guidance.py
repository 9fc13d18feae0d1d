"""Errors in references."""

from ..planted import Planted

ERRORS = (
    Planted(
        "the length of a ramp is that of its last rate",
        "guidance/_rate_step.py",
        "(self.v_0 + self.dv / 2) * self.duration",
        "(self.v_0 + self.dv) * self.duration",
    ),
    Planted(
        "the way of a ramp lacks its quintic",
        "guidance/_rate_step.py",
        "x**4 * (2.5 + x * (x - 3))",
        "x**4 * (2.5 + x * (x - 2))",
    ),
    Planted(
        "the acceleration of a ramp is half",
        "guidance/_rate_step.py",
        "30 * (x * (1 - x)) ** 2 / self.duration)",
        "15 * (x * (1 - x)) ** 2 / self.duration)",
    ),
    Planted(
        "a cruise covers the whole of its length at once",
        "guidance/_rate_step.py",
        "return self.v_0 * (self.duration * (t / self.duration))",
        "return self.v_0 * self.duration",
    ),
    Planted(
        "the rate of a smooth step lacks the division by its duration",
        "guidance/_smooth_step.py",
        "self.length / self.duration * 30",
        "self.length * 30",
    ),
    Planted(
        "the acceleration of a smooth step never turns",
        "guidance/_smooth_step.py",
        "60 * x * (1 - x) * (1 - 2 * x)",
        "60 * x * (1 - x) * abs(1 - 2 * x)",
    ),
    Planted(
        "a smooth step runs on after its end",
        "guidance/_smooth_step.py",
        "minimum(maximum(t / self.duration, 0.0), 1.0)",
        "maximum(t / self.duration, 0.0)",
    ),
    Planted(
        "a smooth step runs before its start",
        "guidance/_smooth_step.py",
        "minimum(maximum(t / self.duration, 0.0), 1.0)",
        "minimum(t / self.duration, 1.0)",
    ),
    Planted(
        "the second leg of a sequence goes the same way as the first",
        "guidance/_joint_sequence.py",
        "zip((rate, -rate, rate), cruise",
        "zip((rate, rate, rate), cruise",
    ),
    Planted(
        "the rest after the last leg is that between legs",
        "guidance/_joint_sequence.py",
        "(rest, rest, settle)",
        "(rest, rest, rest)",
    ),
    Planted(
        "the ramp at the end of a leg accelerates",
        "guidance/_joint_sequence.py",
        "yield RateStep(ramp, v, -v)",
        "yield RateStep(ramp, 0.0, v)",
    ),
    Planted(
        "the default cruises of a sequence are 9, 9 and 9 s",
        "guidance/_joint_sequence.py",
        "cruise_s: Sequence[float] = (9.0, 19.0, 9.0)",
        "cruise_s: Sequence[float] = (9.0, 9.0, 9.0)",
    ),
    Planted(
        "a stretch begins where the one before began", "guidance/_rate_steps.py", "q[i] += length[j]", "q[i] += 0 * length[j]"
    ),
    Planted(
        "at a corner the stretch before counts",
        "guidance/_rate_steps.py",
        "return self._stretches[bisect_right(self._times, t)].at(t)",
        "return self._stretches[bisect_right(self._times, t - 1e-9)].at(t)",
    ),
    Planted(
        "the last stretch of a profile is left out",
        "guidance/_rate_steps.py",
        "self._rows.append(self._form.rest(q))\n\n",
        "self._rows[-1] = self._form.rest(q)\n\n",
    ),
    Planted(
        "the time in a stretch counts from the start of the run",
        "guidance/_rate_steps.py",
        "step, since = self.step, t - self.start",
        "step, since = self.step, t",
    ),
    Planted(
        "joints of a profile move at the rate and not at their shares",
        "guidance/_rate_profile.py",
        "v_0 * share, (v_1 - v_0) * share",
        "v_0 * share, (v_1 - v_0) * share.clip(max=0.5)",
    ),
    Planted(
        "a cycloid's largest rate is the mean one",
        "guidance/_cycloid.py",
        "(1 - cos(turn)) / duration",
        "1 / duration + 0 * cos(turn)",
    ),
    Planted(
        "a cycloid's acceleration lacks a duration",
        "guidance/_cycloid.py",
        "2 * math.pi * sin(turn) / duration / duration",
        "2 * math.pi * sin(turn) / duration",
    ),
    Planted(
        "a cycloid's sine is added to the way",
        "guidance/_cycloid.py",
        "x - sin(turn) / (2 * math.pi)",
        "x + sin(turn) / (2 * math.pi)",
    ),
    Planted(
        "after a cycloid the joints are back at its start",
        "guidance/_cycloid.py",
        "JointReference(self._start if t < 0 else self._end, self._rest",
        "JointReference(self._start, self._rest",
    ),
    Planted(
        "a cycloid's numbers after its end are those of its start",
        "guidance/_cycloid.py",
        "self._end if t >= self._duration else self._start",
        "self._start",
    ),
    Planted(
        "half the angle of a spherical joint's way is gone",
        "guidance/_cycloid.py",
        "math.atan2(sine, cosine) / sine",
        "math.atan2(sine, cosine) / sine / 2",
    ),
    Planted(
        "a spherical joint goes its way in the parent's axes",
        "guidance/_cycloid.py",
        "quaternion_product(q[i : i + 4], turn)",
        "quaternion_product(turn, q[i : i + 4])",
    ),
    Planted(
        "a straight line has the acceleration of no turning Jacobian",
        "guidance/_line.py",
        "acceleration - J_dot @ qdot",
        "acceleration",
    ),
    Planted(
        "a straight line is longer by the length of its direction",
        "guidance/_line.py",
        "self._direction = along / math.hypot(*along)",
        "self._direction = along",
    ),
    Planted(
        "a line's attitude error has the wrong sign",
        "guidance/_line.py",
        "quaternion_product(self._attitude, quaternion_conjugate(self._model.attitude(state, self._frame)))",
        "quaternion_product(self._model.attitude(state, self._frame), quaternion_conjugate(self._attitude))",
    ),
    Planted(
        "a line that the arm cannot follow is taken",
        "guidance/_line.py",
        "if abs(miss).max() > REACHED:",
        "if abs(miss).max() > 1e9:",
    ),
    Planted(
        "a frame turns the longer way",
        "guidance/_turn.py",
        "math.copysign(1 / sine, turn[3]) * turn[:3]",
        "1 / sine * turn[:3]",
    ),
    Planted(
        "a frame turns in its own axes",
        "guidance/_turn.py",
        "quaternion_product(last, quaternion_conjugate(first))",
        "quaternion_product(quaternion_conjugate(first), last)",
    ),
    Planted(
        "a frame's turn lags behind its way",
        "guidance/_reach.py",
        "quaternion_from_axis_angle(axis, angle * gone), first)",
        "quaternion_from_axis_angle(axis, angle * gone * gone), first)",
    ),
    Planted(
        "a frame's twist is exchanged",
        "guidance/_reach.py",
        "both = np.concatenate([way, turn])",
        "both = np.concatenate([turn, way])",
    ),
    Planted(
        "a frame that goes along with a turning one does not feel Coriolis",
        "guidance/_pose_reference.py",
        "2 * cross(omega_of, v)",
        "cross(omega_of, v)",
    ),
    Planted(
        "a frame is not slowed down to the one that it follows",
        "guidance/_follow.py",
        "v = way * step.rate(t) + speed * stop.rate(t)",
        "v = way * step.rate(t)",
    ),
)

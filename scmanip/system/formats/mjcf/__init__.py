"""MJCF, the robot description of MuJoCo, as tables of a system file."""

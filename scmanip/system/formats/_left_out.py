"""What of another tool's file is not taken over."""


class LeftOut(UserWarning):
    """Something of another tool's file for which a system has no word was not taken over.

    >>> import warnings
    >>> from pathlib import Path
    >>> _ = Path("a.urdf").write_text(
    ...     "<robot name='a'><link name='l'><inertial><mass value='1'/>"
    ...     "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><gazebo/></robot>"
    ... )
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     _ = load_system("a.urdf")
    >>> told[0].category.__name__, str(told[0].message)
    ('LeftOut', 'a.urdf: left out 1 <gazebo> (line 1)')
    """

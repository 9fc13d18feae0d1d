"""What is told of a loop for which explicit steps are no method."""


class StiffLoop(UserWarning):
    """A run by an explicit integrator would take very many steps, because something in its loop is far faster than the rest.

    It is told after the first steps, with the fastest rate, where it comes from, how many steps there would be, and what to
    write in place of it; the run goes on.

    >>> import warnings
    >>> stiff = scmanip.control.JointRegulator(model, K_P=1e4, K_D=1e5)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", StiffLoop)  # for those who would rather stop there
    ...     simulate(model, scmanip.Floating(), stiff, state, reference=reference, t_end_s=60.0)
    Traceback (most recent call last):
        ...
    scmanip.simulation.integrators._stiff_loop.StiffLoop: the run is stiff: its fastest motion, of joint ... or Radau()
    """

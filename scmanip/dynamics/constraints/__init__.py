"""Motion constraints, embedded and removed, over any scalar [Gillespie2003]."""

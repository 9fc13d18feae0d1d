"""Generalized speeds [Kane1983]."""

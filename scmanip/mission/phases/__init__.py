"""Phases: what a mission does, one after the other."""

"""Integrators, one file each."""

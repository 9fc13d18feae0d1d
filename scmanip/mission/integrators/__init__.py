"""Integrators of missions, one file each."""

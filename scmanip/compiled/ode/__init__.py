"""Differential equations that integrate themselves."""

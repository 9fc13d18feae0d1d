"""The classification of manoeuvres in one table [Wilde2018] Table 1."""

from __future__ import annotations

ROWS = (
    ("mode", "older name", "base actuators", "actuation", "driven", "under-actuated", "constant"),
    ("Floating", "free-floating", "none", "internal", "qdot", "v_C, omega_0", "P, L_C"),
    ("RotationFloating", "free-floating", "wheels", "internal", "omega_0, qdot", "v_C", "P, L_C with wheels"),
    ("RotationFlying", "free-flying", "thruster couples", "external", "omega_0, qdot", "v_C", "P"),
    ("TranslationFlying", "free-flying", "force through the CoM", "external", "v_C, qdot", "omega_0", "L_C"),
    ("  with wheels", "free-flying", "the same, wheels", "both", "v_C, omega_0, qdot", "none", "L_C with wheels"),
    ("Flying", "free-flying", "thrusters", "external", "v_C, omega_0, qdot", "none", "none"),
)


def table() -> str:
    """Return the five modes: hardware, commanded and freely reacting speeds, conserved momenta, older names."""
    widths = [max(len(row[k]) for row in ROWS) for k in range(len(ROWS[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in ROWS)

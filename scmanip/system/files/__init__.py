"""System files."""

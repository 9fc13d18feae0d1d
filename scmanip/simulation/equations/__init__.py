"""A run as one program."""

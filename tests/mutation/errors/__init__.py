"""Errors to plant, one file a room."""

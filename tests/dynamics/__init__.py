"""Tests of the room `dynamics`."""

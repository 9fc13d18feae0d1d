"""Guidance of missions, one file each."""

"""Loads of missions, one file each."""

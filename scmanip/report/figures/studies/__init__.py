"""Figures of many cases: of chance, and of designs."""

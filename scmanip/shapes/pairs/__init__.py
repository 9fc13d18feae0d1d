"""Distances in closed form, over any scalar: of points and lines first, of shapes made of them then."""

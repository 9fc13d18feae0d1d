"""Kane's method for trees [Stoneking2008]."""

"""Cases on their way, together or each by itself, and what is measured of them."""

"""Cases and what became of them."""

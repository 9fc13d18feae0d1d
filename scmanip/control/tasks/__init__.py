"""Tasks of what a mode commands, and laws that are made of them."""

"""What the tests see: single errors planted one at a time in a copy of the sources: `python -m tests.mutation`."""

"""Programs as callables: machine code, its cache, and the way into it."""

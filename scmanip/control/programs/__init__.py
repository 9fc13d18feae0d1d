"""Laws as programs and as source text."""

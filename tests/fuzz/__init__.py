"""Files that nobody would write, read by scmanip and, where it takes them, by a second reader that knows nothing of it.

Every file is refused in words, with its name and a line, or read as an independent reading of its TOML has it, and its
values written anew are read as the same again. `python -m tests.fuzz --files 30000 --seed 1` tries many.
"""

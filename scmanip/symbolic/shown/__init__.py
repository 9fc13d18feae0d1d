"""Programs as their readers see them: in SymPy, LaTeX and notebooks."""

"""Cases into rows, wherever they are run, and rows into a folder."""

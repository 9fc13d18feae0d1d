"""Laws as blocks of python-control."""

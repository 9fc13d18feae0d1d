"""Events of missions, one file each."""

"""States that the equations cannot take: gimbals in lock, quaternions without norm 1."""

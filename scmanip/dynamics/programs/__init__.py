"""From equations to programs: what is recorded, in which form, under which name."""

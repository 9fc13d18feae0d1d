"""What a reader of the equations calls things: letters of papers, names of numbers, angles that are added."""

"""Independent dynamics codes and the random systems on which scmanip is compared with them."""

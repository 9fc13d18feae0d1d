"""What hands move: devices that tell where they are and show forces, one file per kind."""

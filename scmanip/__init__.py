"""scmanip: guidance, navigation and control design for spacecraft with robot arms."""

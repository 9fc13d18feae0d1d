"""Tables of what laws see: sensors, estimators, and their chance."""

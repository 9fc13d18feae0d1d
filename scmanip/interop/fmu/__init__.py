"""Units for co-simulation after the Functional Mock-up Interface [FMI3]."""

"""Laws that drive the base as well."""

"""Small changes about a state: linear systems, trimmed states, margins."""

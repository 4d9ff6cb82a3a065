"""Model outputs against the tag: accepted or not, the calls, what was asked for."""

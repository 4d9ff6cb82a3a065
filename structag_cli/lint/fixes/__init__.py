"""Mends: edits of values, as splices of the text that leave all else as it is."""

"""Constrained generation on a local model: our own decoding loop, and what it proves."""

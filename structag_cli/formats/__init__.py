"""Wire formats: how each model family writes a tool call, read from ``grammars/*.yaml``."""

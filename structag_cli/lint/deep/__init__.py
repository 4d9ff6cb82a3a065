"""Schemas against their grammars: instances, judged by jsonschema and by the matcher."""

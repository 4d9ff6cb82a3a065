"""An OpenAI-compatible server under the tag: the request, its transport, and what came of it."""

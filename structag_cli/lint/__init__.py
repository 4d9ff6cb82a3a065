"""Rules over tools, requests, tags, grammars and logs, and the ways to print findings."""

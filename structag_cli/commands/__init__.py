"""One thin module a command: parameters in, domain call, output, exit code."""

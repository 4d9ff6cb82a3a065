"""What an engine release decides for a request: pure functions and data, no I/O."""

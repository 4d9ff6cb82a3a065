"""Benchmarks: ratios inside one run against a named peer."""

"""The one door to xgrammar. Nothing outside this package imports it."""

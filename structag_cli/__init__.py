"""structag: build, inspect and verify xgrammar structural tags for tool calling."""

__version__ = "0.1.0"

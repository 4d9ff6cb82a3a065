"""One module a rule. Each holds ``RULE``; the registry finds them by that name."""

"""From a grammar and a decision to a typed structural tag."""

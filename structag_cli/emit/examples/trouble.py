"""The one way in which making an example fails."""


class NoExample(Exception):
    """No example can be made for certain; the message says what stands in the way."""


class TooDeep(NoExample):
    """References nest deeper than this attempt allows."""

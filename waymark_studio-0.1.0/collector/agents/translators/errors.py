"""Why an answer is no action, and why an action has no words in a dialect."""

from __future__ import annotations


class Malformed(ValueError):  # noqa: N818 - the word of the record
    """The answer cannot be read."""


class Hallucinated(ValueError):  # noqa: N818 - the word of the record
    """The answer is well-formed, and asks for what does not exist: an action, an element, a place."""


class NotExpressible(ValueError):  # noqa: N818
    """The dialect has no word for an action."""

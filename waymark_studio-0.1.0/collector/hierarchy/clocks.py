"""Texts and nodes that say the time of day: they differ on screens that are the same."""

from __future__ import annotations

import re

from collector.model.tree import Node

TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}(:\d{2})?(\s?[ap]m)?", re.IGNORECASE)
"""The whole text of a clock."""


def is_clock(node: Node) -> bool:
    """Whether a node says nothing but the time of day, and is a clock by its class or id."""
    named = "clock" in node.short_class.casefold() or "clock" in node.short_id.casefold()
    return named and not node.children and TIME_OF_DAY.fullmatch(node.label.strip()) is not None

"""How much of what a recorded screen said is on another one."""

from __future__ import annotations

from collector.model.tree import Tree

SIMILAR_SHARE = 0.5
"""Share of the recorded words that makes a screen pass for the one recorded."""


def texts_on(tree: Tree | None) -> frozenset[str]:
    """The texts and descriptions on a screen; what is written in password fields is nobody's."""
    if tree is None:
        return frozenset()
    labels = (node.label for node in tree if not node.password)
    return frozenset(" ".join(label.split()) for label in labels if label.strip())


def shared_text(recorded: Tree | None, live: Tree | None) -> float | None:
    """Share of the recorded words that are on the live screen, 0 to 1; None when none were recorded."""
    words = texts_on(recorded)
    return len(words & texts_on(live)) / len(words) if words else None

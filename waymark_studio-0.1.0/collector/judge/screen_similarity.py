"""Compare the texts of a recorded screen with those of another."""

from __future__ import annotations

from collector.model.tree import Tree

SIMILAR_SHARE = 0.5
"""Share of the recorded texts from which a screen counts as the recorded one."""


def texts_on(tree: Tree | None) -> frozenset[str]:
    """The texts and descriptions on a screen, without those of password fields."""
    if tree is None:
        return frozenset()
    labels = (node.label for node in tree if not node.password)
    return frozenset(" ".join(label.split()) for label in labels if label.strip())


def shared_text(recorded: Tree | None, live: Tree | None) -> float | None:
    """Share of the recorded texts that are on the live screen, 0 to 1; None when none were recorded."""
    words = texts_on(recorded)
    return len(words & texts_on(live)) / len(words) if words else None

"""How much of what a recorded screen said is on another one."""

from __future__ import annotations

from collector.model.tree import Tree

ALIKE = 0.5
"""Share of the recorded words that makes a screen pass for the one recorded."""


def words_on(tree: Tree | None) -> frozenset[str]:
    """The texts and descriptions on a screen; what is written in password fields is nobody's."""
    if tree is None:
        return frozenset()
    labels = (node.label for node in tree if not node.password)
    return frozenset(" ".join(label.split()) for label in labels if label.strip())


def share_kept(recorded: Tree | None, live: Tree | None) -> float | None:
    """Share of the recorded words that are on the live screen, 0 to 1; None when none were recorded."""
    words = words_on(recorded)
    return len(words & words_on(live)) / len(words) if words else None

"""What alignment compares of a step: its screen as sets of tokens, and its action with its target."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from collector.model.action import Action
from collector.model.geometry import Size
from collector.model.trajectory import Step, Target
from collector.model.tree import Node, Tree
from collector.rules.evaluation.state_view import full_activity

_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2})?( ?[ap]m)?", re.IGNORECASE)
_COUNTED = 3
"""Nodes of one kind are counted up to this number: the length of a list tells no screens apart."""
_FLAGS = ("checked", "selected", "password")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class StepSignature:
    """A step as it is compared. Sets are empty and texts are empty when they are not known."""

    package: str
    activity: str
    """With its package."""
    structure: frozenset[str]
    """Kinds of nodes: class, id and state, whatever they say and wherever they are."""
    texts: frozenset[str]
    """Labels and their words; no clock, no password."""
    picture: int | None
    """Perceptual hash of the screenshot (:func:`picture_hash`); None when it was not needed or is missing."""
    action: Action | None
    target: Target | None
    size: Size


def signature_of(step: Step, tree: Tree | None, picture: int | None = None) -> StepSignature:
    """The signature of a step on the screen of ``tree``."""
    state = step.state
    structure, texts = tokens_of(tree)
    return StepSignature(
        state.package, full_activity(state.package, state.activity), structure, texts, picture, step.action,
        step.target, state.size,
    )  # fmt: skip


def tokens_of(tree: Tree | None) -> tuple[frozenset[str], frozenset[str]]:
    """The kinds of the nodes of a screen, and its texts."""
    if tree is None:
        return frozenset(), frozenset()
    kinds: Counter[str] = Counter()
    texts: set[str] = set()
    for node in tree:
        if node.bounds is not None and not (node.bounds.width and node.bounds.height):
            continue
        kinds[_kind(node)] += 1
        label = " ".join(node.label.split()).casefold()
        if label and not node.password and not _CLOCK.fullmatch(label):
            texts.add(label)
            texts.update(_WORD.findall(label))
    structure = {
        f"{kind} {number}" for kind, count in kinds.items() for number in range(1, min(count, _COUNTED) + 1)
    }
    return frozenset(structure), frozenset(texts)


def _kind(node: Node) -> str:
    flags = "".join(f":{flag}" for flag in _FLAGS if node.flag(flag))
    return f"{node.short_class}#{node.short_id}{flags}"


def needs_picture(signature: StepSignature) -> bool:
    """Whether the tree says too little of the screen: there is none, or it has no text, as of a game."""
    return not signature.texts


def common_texts(first: Sequence[StepSignature], second: Sequence[StepSignature]) -> float:
    """The share of their texts that two trajectories have in common, 0 to 1; little in other languages."""
    own = frozenset[str]().union(*(signature.texts for signature in first))
    other = frozenset[str]().union(*(signature.texts for signature in second))
    if not own or not other:
        return 1.0
    return len(own & other) / min(len(own), len(other))

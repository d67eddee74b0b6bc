"""What alignment compares of a step: its screen as sets of tokens, and its action with its target."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from collector.comparison.alignment.touched_node import TouchedNode
from collector.hierarchy.clocks import TIME_OF_DAY
from collector.hierarchy.flat_reader import FlatNodes
from collector.model.action import Action
from collector.model.geometry import Size
from collector.model.trajectory import Step, Target
from collector.rules.evaluation.state_view import full_activity

_COUNTED = 3
"""Nodes of one kind are counted up to this number: the length of a list tells no screens apart."""
_NO_AREA = re.compile(r"\[(-?\d+),(-?\d+)\](\[\1,-?\d+\]|\[-?\d+,\2\])")
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
    touched: TouchedNode | None = None
    """What the tree tells of the target; None without a target, or when the tree does not have it."""

    def screen(self) -> Hashable:
        """All that is compared of the screen: equal for screens of which nothing differs."""
        return self.structure, self.texts, self.picture, self.package, self.activity

    def touch(self) -> Hashable:
        """All that is compared of the action: equal for actions of which nothing differs."""
        attributes = self.target.attributes if self.target is not None else None
        names = attributes and tuple(map(attributes.get, ("class", "resource-id", "text", "content-desc")))
        return self.action, names, self.target is None, self.touched, self.size

    def outline(self) -> Hashable:
        """The step without what it says and where: equal for steps of one kind on screens of one kind."""
        target = self.target.attributes if self.target is not None else {}
        picture = None if self.structure else self.picture
        kind = self.action.kind if self.action is not None else ""
        return self.activity, self.structure, picture, kind, target.get("class"), target.get("resource-id")


Tokens = tuple[frozenset[str], frozenset[str]]
"""The kinds of the nodes of a screen, and its texts."""


def signature_of(step: Step, tokens: Tokens, touched: TouchedNode | None) -> StepSignature:
    """The signature of a step on the screen with the tokens of :func:`tokens_of`, without its picture."""
    state = step.state
    return StepSignature(
        state.package, full_activity(state.package, state.activity), *tokens, None, step.action,
        step.target, state.size, touched,
    )  # fmt: skip


def tokens_of(nodes: FlatNodes) -> Tokens:
    """The tokens of a hierarchy dump; none of one without nodes."""
    kinds: Counter[str] = Counter()
    texts: set[str] = set()
    for row in nodes.rows:
        get = dict(zip(row[::2], row[1::2], strict=True)).get
        if _NO_AREA.fullmatch(get("bounds", "")):
            continue
        kinds[_kind(get)] += 1
        label = " ".join((get("text") or get("content-desc", "")).split()).casefold()
        if label and get("password") != "true" and not TIME_OF_DAY.fullmatch(label):
            texts.add(label)
            texts.update(_WORD.findall(label))
    structure = {
        f"{kind} {number}" for kind, count in kinds.items() for number in range(1, min(count, _COUNTED) + 1)
    }
    # Interned: thousands of screens of a trajectory share nearly all of them.
    return frozenset(map(sys.intern, structure)), frozenset(map(sys.intern, texts))


def _kind(get: Callable[[str, str], str]) -> str:
    flags = "".join(f":{flag}" for flag in _FLAGS if get(flag, "") == "true")
    return f"{get('class', '').rpartition('.')[2]}#{get('resource-id', '').rpartition('/')[2]}{flags}"


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

"""Essential states, which a task has to reach. ``rules/states.yaml`` defines them, a task names their ids."""

from __future__ import annotations

import re
import secrets
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.model.text.id_digits import id_digits

PROPOSED, AGREED, AUDITED = "proposed", "agreed", "audited"
STATUSES = (PROPOSED, AGREED, AUDITED)
"""The stages of A3's protocol: proposed by one person, agreed between operators, audited by a third."""
_ID_LIKE = re.compile(r"[A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)+")


@dataclass(frozen=True, slots=True)
class EssentialState:
    """A state that a task has to reach. Without conditions it is judged by people and models."""

    id: str
    sentence: str = ""
    """What is to be seen, for people and models, as in ``The poster is in the cart``."""
    task: str = ""
    """Id of a task it belongs to, beside the tasks that name it."""
    after: tuple[str, ...] = ()
    """Ids of states that must be reached before it."""
    optional: bool = False
    alternatives: tuple[str, ...] = ()
    """Ids of states that count as this one when they are reached."""
    status: str = PROPOSED
    risk: str = ""
    """One of :data:`collector.model.risk.RISKS`, where an agent should stop or ask; empty for none."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other keys of its entry, ``conditions`` among them, as plain values."""

    @property
    def label(self) -> str:
        """The sentence; the id of a state without one."""
        return self.sentence.strip() or self.id


def new_state_id(task_id: str, number: int, taken: Container[str]) -> str:
    """Return a free id for a state of a task: ``shop-1-2`` for its second one, or the next number."""
    while (state_id := f"{task_id}-{number}") in taken:
        number += 1
    return state_id


def own_state_id(task_id: str, sentence: str, taken: Container[str]) -> str:
    """Return a free id for a state that a person adds to a task: ``shop-1-3fa2``.

    The digits come from the sentence, or are drawn when there is none yet, so that two people who add states
    to copies of a project can merge them.
    """
    written = sentence.strip() or secrets.token_hex(8)
    while (state_id := f"{task_id}-{id_digits(written)}") in taken:
        written += "+"
    return state_id


def is_like_id(text: str) -> bool:
    """Whether a text is written like an id, as ``cart_open``, and not like a sentence."""
    return _ID_LIKE.fullmatch(text) is not None


def labels(ids: Iterable[str], states: Mapping[str, EssentialState]) -> Sequence[str]:
    """Return the sentence of each state; the id of one that is not defined."""
    return [states[state_id].label if state_id in states else state_id for state_id in ids]

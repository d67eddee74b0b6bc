"""What a task file keeps of a proof that its task can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class KeptProof:
    """That a target was reached on a phone, and in how many actions."""

    variation: str
    seed: int
    """Of the content of the phone's apps."""
    length: int
    """Number of actions that did it."""
    at_least: int
    """No sequence with fewer actions does it; equal to ``length`` for a shortest one."""
    target: str
    """The version of the target that was reached."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def kept_proof_from(value: object) -> KeptProof | None:
    """The proof of a mapping; None for anything else. Keys of a later version are passed over."""
    if not isinstance(value, Mapping):
        return None
    known = {field.name: value.get(field.name) for field in fields(KeptProof)}
    texts = all(isinstance(known[name], str) for name in ("variation", "target"))
    numbers = all(type(known[name]) is int for name in ("seed", "length", "at_least"))
    if not texts or not numbers or not 0 <= known["at_least"] <= known["length"]:
        return None
    return KeptProof(**known)

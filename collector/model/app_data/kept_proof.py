"""What a task file keeps of a proof that its task can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from collector.model.i18n import _

_NUMBERS = ("seed", "length", "at_least")


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
    variation, target = value.get("variation"), value.get("target")
    numbers = [number for name in _NUMBERS if type(number := value.get(name)) is int]
    if not isinstance(variation, str) or not isinstance(target, str) or len(numbers) < len(_NUMBERS):
        return None
    seed, length, at_least = numbers
    return KeptProof(variation, seed, length, at_least, target) if 0 <= at_least <= length else None


def length_text(at_least: int, length: int) -> str:
    """``5`` for a shortest way, else ``5 to 9``."""
    return str(length) if length <= at_least else _("{least} to {most}", least=at_least, most=length)

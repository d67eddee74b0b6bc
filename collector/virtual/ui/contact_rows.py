"""Ids of what the contacts say of a person, one row for each name, number and address."""

from __future__ import annotations

_KINDS = ("name", "phone", "email")


def data_id(person: int, kind: str) -> int:
    """The id of the row with the ``name``, ``phone`` or ``email`` of a person."""
    return (person - 1) * len(_KINDS) + _KINDS.index(kind) + 1

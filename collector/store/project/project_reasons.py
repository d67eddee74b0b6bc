"""The reasons of failures that ``project.yaml`` declares as ``reasons``: read them, and write them back.

An entry is a mapping with ``id``, ``name`` and ``description``, or the name alone. A project without the key
has the default reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from collector.model.i18n import _
from collector.model.verdicts.failure_reason import DEFAULT_REASONS, FailureReason, reason_id
from collector.store.files.errors import Damaged
from collector.store.files.layout import PROJECT_FILE

_KEYS = ("id", "name", "description")


def read_project_reasons(value: object) -> tuple[FailureReason, ...]:
    """The reasons of a project's settings; the default ones for None. Raises Damaged."""
    if value is None:
        return DEFAULT_REASONS
    if not isinstance(value, list):
        raise _damaged(_("`reasons` is not a list"))
    reasons: list[FailureReason] = []
    for entry in value:
        reason = _reason(entry)
        if any(known.id == reason.id for known in reasons):
            raise _damaged(_("the reason {id} is in the list twice", id=reason.id))
        reasons.append(reason)
    return tuple(reasons)


def changed_reasons(stored: object, reasons: Sequence[FailureReason]) -> list[Any]:
    """The value of ``reasons`` in ``project.yaml`` for ``reasons``; entries that stay are as ``stored``."""
    known = {_reason(entry).id: entry for entry in stored} if isinstance(stored, list) else {}
    return [_changed(known.get(reason.id), reason) for reason in reasons]


def check_reasons(reasons: Iterable[FailureReason]) -> None:
    """Raise ValueError for reasons that cannot be told apart: an id or a name twice, or none."""
    ids, names = set(), set()
    for reason in reasons:
        name = reason.name.strip().casefold()
        if not reason.id.strip() or reason.id in ids or (name and name in names):
            raise ValueError(reason.label)
        ids.add(reason.id)
        names.add(name)


def _changed(entry: Any, reason: FailureReason) -> Any:
    """The entry of a reason: the known one with its new values, or a new one."""
    if entry is not None and _reason(entry) == reason:
        return entry
    values = {key: value for key in _KEYS if (value := getattr(reason, key))}
    if not isinstance(entry, Mapping):  # a name alone cannot keep its id under another name
        return values
    return {**{key: value for key, value in entry.items() if key not in _KEYS[1:]}, **values}


def _reason(entry: object) -> FailureReason:
    if isinstance(entry, str) and entry.strip():
        return FailureReason(reason_id(entry), entry.strip())
    if not isinstance(entry, Mapping):
        raise _damaged(_("an entry of `reasons` is neither a name nor a mapping with `id` and `name`"))
    values = [entry.get(key) for key in _KEYS]
    if any(value is not None and not isinstance(value, str) for value in values):
        raise _damaged(_("`id`, `name` and `description` of a reason are texts"))
    wanted, name, description = ((value or "").strip() for value in values)
    if not (wanted or name):
        raise _damaged(_("a reason has neither `id` nor `name`"))
    return FailureReason(wanted or reason_id(name), name, description)


def _damaged(why: str) -> Damaged:
    return Damaged(_("The reasons in {name} cannot be read", name=PROJECT_FILE), why)

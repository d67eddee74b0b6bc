"""Essential states as a source describes them, before a project gives them ids of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.model.essential_state import EssentialState, new_state_id

REACHED = "state_reached"


@dataclass(frozen=True, slots=True)
class SourceStates:
    """The states of one source; their ids are names within it, as are those in ``after``."""

    states: tuple[EssentialState, ...]
    named: tuple[str, ...]
    """Those that their task names. The others are only named by these."""
    has_ids: bool = False
    """Whether the ids are those of a project of Waymark, and stay."""


def state_with(
    name: str, conditions: Sequence[Mapping[str, Any]], *, sentence: str = "", after: Iterable[str] = (),
    alternatives: Iterable[str] = (),
) -> EssentialState:  # fmt: skip
    """A state with plain conditions, all of which must hold."""
    extra = {"conditions": list(conditions)} if conditions else {}
    return EssentialState(
        name, sentence or name, after=tuple(after), alternatives=tuple(alternatives), extra=extra
    )


def with_project_ids(source: SourceStates, task_id: str, taken: Iterable[str]) -> SourceStates:
    """The states with free ids of a task for their names, wherever they are named."""
    used = set(taken)
    ids: dict[str, str] = {}
    for number, state in enumerate(source.states, start=1):
        ids[state.id] = new_state_id(task_id, number, used)
        used.add(ids[state.id])
    states = tuple(
        replace(
            state,
            id=ids[state.id],
            after=tuple(ids.get(name, name) for name in state.after),
            alternatives=tuple(ids.get(name, name) for name in state.alternatives),
            extra=_renamed(state.extra, ids),
        )
        for state in source.states
    )
    return SourceStates(states, tuple(ids.get(name, name) for name in source.named), has_ids=True)


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    """Plain conditions with the new ids of the states that they name."""
    if isinstance(value, list):
        return [_renamed(item, ids) for item in value]
    if not isinstance(value, Mapping):
        return value
    renamed = {key: _renamed(item, ids) for key, item in value.items()}
    if renamed.get("type") == REACHED and renamed.get("state") in ids:
        renamed["state"] = ids[renamed["state"]]
    return renamed

"""Acts of people in the workflow of essential states: who did what, and when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

STARTED, SIGNED, WITHDRAWN, FINISHED = "started", "signed", "withdrawn", "finished"
ACT_KINDS = (STARTED, SIGNED, WITHDRAWN, FINISHED)
"""``withdrawn`` takes back the signature, or the result, before it."""


@dataclass(frozen=True, slots=True)
class WorkflowAct:
    """One act of a person on a proposal, a definition or an audit."""

    kind: str
    """One of ``ACT_KINDS``."""
    who: str
    time: str
    """ISO 8601, UTC."""


def act_now(kind: str, who: str) -> WorkflowAct:
    """An act of ``who`` at this moment."""
    return WorkflowAct(kind, who, dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds"))


def started_at(acts: Sequence[WorkflowAct]) -> str:
    """Time of the first start; empty when nobody has started."""
    return next((act.time for act in acts if act.kind == STARTED), "")


def standing_time(acts: Sequence[WorkflowAct], kind: str) -> str:
    """ISO 8601 time of the newest act of a kind; empty when there is none, or it was withdrawn since."""
    act = standing_act(acts, kind)
    return act.time if act is not None else ""


def standing_act(acts: Sequence[WorkflowAct], kind: str) -> WorkflowAct | None:
    """The newest act of a kind, unless it was withdrawn since."""
    for act in reversed(acts):
        if act.kind == kind:
            return act
        if act.kind == WITHDRAWN:
            return None
    return None

"""A judgement: what a rule, a model or a person says of a task, an essential state or a window of steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.usage import Usage

RULE, MODEL, PERSON = "rule", "model", "person"
JUDGE_KINDS = (RULE, MODEL, PERSON)

TASK, STATE, WINDOW, STEP = "task", "state", "window", "step"

SUCCESS, FAILURE, UNCOMPLETED = "success", "failure", "uncompleted"
REACHED, MISSED = "reached", "missed"
UNDECIDED = "undecided"
"""The judge was asked and could not say; its reason is in the judgement."""
RIGHT = "right"
STEP_ERRORS = ("wrong_element", "wrong_action", "hallucinated", "needless", "risky")
VERDICTS: Mapping[str, tuple[str, ...]] = {
    TASK: (SUCCESS, FAILURE, UNCOMPLETED, UNDECIDED),
    STATE: (REACHED, MISSED, UNDECIDED),
    WINDOW: (REACHED, MISSED, UNDECIDED),
    STEP: (RIGHT, *STEP_ERRORS, UNDECIDED),
}
"""By kind of subject, the verdicts a judge can give."""
UNNAMED = "annotator"
"""Who labels and judges in the window when its settings name nobody."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is judged.

    A ``state`` is an essential state over the whole trajectory; a ``window`` is one seen in the steps from
    ``first`` to ``last``, counted from 0, both included, as models judge it (A3's sliding window). A ``step``
    is one action of the trajectory; its index is in both.
    """

    kind: str = TASK
    state: str = ""
    """Id of the essential state; empty for a task."""
    first: int | None = None
    last: int | None = None
    """Of a reached ``state``: the step that reaches it, in both."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One verdict of one judge. A later one of the same judge on the same subject replaces it."""

    judge: str
    """Name of the judge: ``rules``, a model's or a person's. It names the file."""
    kind: str
    """rule, model or person."""
    version: str
    """Of the rules (a digest), of the model or of the program; empty for a person."""
    subject: Subject
    verdict: str
    confidence: float | None = None
    """0 to 1; None when the judge gives none."""
    reason: str = ""
    """For people, in a sentence."""
    proof: Mapping[str, Any] = field(default_factory=dict)
    """Of a rule: which conditions held on which nodes, and the nearest miss."""
    raw: str = ""
    """Of a model: its answer as received."""
    usage: Usage = field(default_factory=Usage)
    time: str = ""
    """ISO 8601, UTC."""
    reason_id: str = ""
    """Id of a reason of the project (:mod:`collector.model.verdicts.failure_reason`) that a person chose."""
    settles: bool = False
    """Whether a person settles by it what people disagree on: it counts for people as a whole."""
    made_of: str = ""
    """Of a rule: digest of the recording, the rules and the evaluation it was made of; empty when unknown."""
    better: Mapping[str, Any] = field(default_factory=dict)
    """Of a step that a person calls wrong: the action that would have been right, as steps have theirs."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""

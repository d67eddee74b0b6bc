"""The outcome of an episode by the verdict of the judge ``rules``."""

from __future__ import annotations

from dataclasses import replace

from collector.model.episode import Outcome
from collector.model.verdicts.judgement import FAILURE, UNCOMPLETED, UNDECIDED, Judgement
from collector.rules.grammar.model import DGARA


def outcome_by(on_task: Judgement, outcome: Outcome, semantics: str) -> Outcome:
    """The outcome with the verdict on the task; an undecided task has no status.

    D-GARA has no ``uncompleted``: whoever did not do the task within the budget failed.
    """
    status = "" if on_task.verdict == UNDECIDED else on_task.verdict
    if semantics == DGARA and status == UNCOMPLETED:
        status = FAILURE
    return replace(outcome, status=status, reason=on_task.reason)

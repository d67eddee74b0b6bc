"""The verdict on a task that was not found to be done: failure, uncompleted, or undecided."""

from __future__ import annotations

from typing import Any

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.i18n import _
from collector.model.verdicts.judgement import FAILURE, UNCOMPLETED, UNDECIDED


def verdict_not_done(
    trajectory: JudgedTrajectory, done: bool | None, reason: str, proof: dict[str, Any]
) -> tuple[str, str, dict[str, Any]]:
    """The verdict, its reason and its proof; ``done`` is None when nobody can say.

    A run that ended without a completion signal is uncompleted (ProBench, section 3.4).
    """
    if trajectory.signal is None and trajectory.is_open:
        return UNDECIDED, _("Not done so far, and the recording goes on: {reason}", reason=reason), proof
    if done is None:
        return UNDECIDED, reason, proof
    if not trajectory.is_claimed:
        if answer := trajectory.unread_answer:
            said = _("None of its last answers could be done, the last was {answer}; {reason}",
                     answer=answer, reason=reason)  # fmt: skip
        elif trajectory.stopped_early:
            said = _("It repeated one action until it was stopped, without a completion signal; {reason}",
                     reason=reason)  # fmt: skip
        else:
            said = _("It ended without a completion signal; {reason}", reason=reason)
        if trajectory.stopped_early:
            proof = {**proof, "early_stop": True}
        return UNCOMPLETED, said, proof
    return FAILURE, reason, proof

"""The verdict on a task that follows from its essential states."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.i18n import _
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED, UNDECIDED
from collector.rules.evaluation.task_states import replaced_by


def verdict_of_states(
    trajectory: JudgedTrajectory, counting: Collection[str], doubts: Mapping[str, str], *, needs_claim: bool
) -> tuple[str, str]:
    """Verdict and reason: a success when every needed state or its alternative was reached (A3, section 3.2).

    With ``needs_claim`` a run that never says that it is done is uncompleted (ProBench, section 3.4).
    """
    if not trajectory.needed:
        return UNDECIDED, _("The task has no essential states")
    known = {state.id for state in trajectory.states}
    done = {*counting, *replaced_by(trajectory.states, set(counting).intersection(trajectory.needed))}
    undefined = [name for name in trajectory.needed if name not in known]
    missing = [name for name in trajectory.needed if name not in done and name not in undefined]
    missed = [name for name in missing if name not in doubts]
    if missed:
        reason = _("Not reached: {states}", states=", ".join(missed))
        return (FAILURE if trajectory.is_claimed else UNCOMPLETED), reason
    if missing:
        return UNDECIDED, _("Not known whether reached: {states}", states=", ".join(missing))
    if undefined:
        return UNDECIDED, _("No file defines: {states}", states=", ".join(undefined))
    if needs_claim and not trajectory.is_claimed:
        return UNCOMPLETED, _("Every needed state was reached, but nobody said that the task is done")
    return SUCCESS, _("Every needed state was reached")

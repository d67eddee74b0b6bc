"""Judges that drift away from people, and verdicts that rules of earlier days gave."""

from __future__ import annotations

from collections.abc import Iterator

from collector.judge.progress.summary_cache import task_summaries
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import UNDECIDED
from collector.model.verdicts.voted_subject import most_say
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix, health_finding
from collector.project_health.project_facts import ProjectFacts
from collector.project_health.rates import interval
from collector.store.catalogue.health_rows import DatedVotes


def judges_that_drift(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Judges whose agreement with people differs between the earlier and the later half of what both judged.

    Halves are told apart by the dates of the trajectories. They differ when their intervals of 95 % have
    nothing in common.
    """
    if not facts.looks_at_all:
        return
    agrees: dict[str, bytearray] = {}
    for subject in facts.rows.votes_by_date():
        for judge, agreeing in _agreements(subject):
            agrees.setdefault(judge, bytearray()).append(agreeing)
    few = 0
    for judge, bits in sorted(agrees.items()):
        half = len(bits) // 2
        if half < facts.thresholds.verdicts:
            few += 1
            continue
        before, after = sum(bits[:half]), sum(bits[-half:])
        old, new = interval(before, half), interval(after, half)
        if old[0] > new[1] or new[0] > old[1]:
            yield _drift(judge, before, after, half)
    if few:
        facts.leave_out("judge-drifts", ngettext(
            "{count} judge has fewer than {least} verdicts beside those of people in each half",
            "{count} judges have fewer than {least} verdicts beside those of people in each half",
            few, least=facts.thresholds.verdicts,
        ))  # fmt: skip


def _agreements(subject: DatedVotes) -> Iterator[tuple[str, bool]]:
    """Each judge that is no person, and whether it says what people say."""
    said = subject.settled or most_say(subject.votes[who] for who in subject.people)
    if said and said != UNDECIDED:
        for judge, verdict in subject.votes.items():
            if judge not in subject.people:
                yield judge, verdict == said


def _drift(judge: str, before: int, after: int, half: int) -> HealthFinding:
    return health_finding(
        "judge-drifts",
        _("{judge} agreed with people in {before} of the first {half} verdicts and {after} of the last",
          judge=judge, before=before, after=after, half=half),
        _("The intervals of 95 % of both shares have nothing in common"),
        _("Compare it with people, and see what became other: its model, its rules, or the recordings"),
        fix=HealthFix(FixKind.COMPARE_JUDGES, judge),
    )  # fmt: skip


def outdated_verdicts(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Tasks with trajectories that other rules judged than those of now.

    A task with parameters has other rules for each of their values: nothing is said of it.
    """
    summaries = task_summaries(facts.project)
    older: dict[str, int] = {}
    tasks = {task.id: task for task in facts.tasks if not task.parameters}
    for (judged, version), count in facts.rows.versions_of_rules().items():
        task, summary = tasks.get(judged), summaries.get(judged)
        if task is None or summary is None or not summary.version:
            continue
        by_target = task.target.version if task.target is not None else ""
        if version not in (summary.version, by_target):
            older[judged] = older.get(judged, 0) + count
    for task in facts.tasks:
        if count := older.get(task.id, 0):
            yield health_finding(
                "verdicts-outdated",
                ngettext(
                    "{count} trajectory of task {id} was judged by other rules than those of now",
                    "{count} trajectories of task {id} were judged by other rules than those of now",
                    count, id=task.id,
                ),
                _("The task or its rules were changed since"),
                _("`waymark judge run` judges them again"),
                where=facts.place_of_task(task.id), task=task.id,
                fix=HealthFix(FixKind.JUDGE_AGAIN, f'task:"{task.id}"'),
            )  # fmt: skip

"""The health of a project: what its recordings say of its tasks, states, anomalies, judges and goldens.

Only what is stored counts: the index, the first screens of some goldens, and the files of tasks and rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from collector.located_yaml.codes import CODES
from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.project_health.anomaly_health import anomalies_never_appearing, anomalies_never_mattering
from collector.project_health.golden_health import goldens_not_replayable
from collector.project_health.health_finding import HealthFinding, HealthReport
from collector.project_health.judge_health import judges_that_drift, outdated_verdicts
from collector.project_health.leaks import answers_given_away
from collector.project_health.project_facts import ProjectFacts
from collector.project_health.state_health import states_always_reached, states_never_reached
from collector.project_health.suspicious_runs import SUSPICIONS, suspicious_runs
from collector.project_health.task_health import done_at_random, done_at_start, never_or_always_done
from collector.review.hidden_trajectories import hidden_trajectories
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.layout import TRAJECTORIES
from collector.store.project.project import Project

_Check = Callable[[ProjectFacts], Iterator[HealthFinding]]
_CHECKS: tuple[tuple[tuple[str, ...], _Check], ...] = (
    (("done-at-start",), done_at_start),
    (("done-at-random",), done_at_random),
    (("never-done", "always-done"), never_or_always_done),
    (("answer-given-away",), answers_given_away),
    (("state-never-reached",), states_never_reached),
    (("state-always-reached",), states_always_reached),
    (("anomaly-never-appears",), anomalies_never_appearing),
    (("anomaly-never-matters",), anomalies_never_mattering),
    (("judge-drifts",), judges_that_drift),
    (("verdicts-outdated",), outdated_verdicts),
    (("golden-not-replayable",), goldens_not_replayable),
)
HEALTH_CODES = {spec.code: name for name, spec in CODES.items() if spec.code.startswith("W8")}
"""Code -> name of each kind of finding."""
MOST_LISTED = 100
"""So many findings of one kind are listed; the others are counted."""


def named_kinds(codes: Collection[str]) -> frozenset[str]:
    """The kinds with some codes or names; all for none. Raises UserError for one that there is not."""
    kinds = set[str]()
    for code in codes:
        name = HEALTH_CODES.get(code.upper(), code)
        if name not in HEALTH_CODES.values():
            raise UserError(
                _("{code} is no finding about health", code=code), "",
                _("Use one of: {known}", known=", ".join(HEALTH_CODES)),
            )  # fmt: skip
        kinds.add(name)
    return frozenset(kinds or HEALTH_CODES.values())


def check_health(
    project: Project, catalogue: Catalogue, *, only: Collection[str] = (), tasks: Collection[str] = (),
    who: str = "",
) -> HealthReport:  # fmt: skip
    """Tell the health of a project from what is stored; nothing is changed.

    ``catalogue`` is up to date. ``only`` are codes or names of kinds, ``tasks`` ids; none for all. What is
    hidden from ``who``, who reviews blind, is left out. Raises UserError for codes and tasks that there are
    not and for thresholds that cannot be read, and Cancelled.
    """
    kinds = named_kinds(only)
    for task in tasks:
        if project.task(task) is None:
            raise UserError(_("The project has no task {id}", id=task))
    report = HealthReport()
    facts = ProjectFacts(project, catalogue, report, tasks)
    _listed_findings(report, _findings(facts, kinds), kinds)
    report.unmeasured = [item for item in report.unmeasured if item.name in kinds]
    _hide(report, project, who)
    return report


def _findings(facts: ProjectFacts, kinds: frozenset[str]) -> Iterator[HealthFinding]:
    for names, check in _CHECKS:
        if not kinds.isdisjoint(names):
            yield from check(facts)
    if suspicions := kinds & SUSPICIONS:
        yield from suspicious_runs(facts, suspicions)


def _listed_findings(report: HealthReport, findings: Iterator[HealthFinding], kinds: frozenset[str]) -> None:
    counts: Counter[str] = Counter()
    for finding in findings:
        check_cancelled()
        if finding.name not in kinds:
            continue
        counts[finding.name] += 1
        if counts[finding.name] <= MOST_LISTED:
            report.findings.append(finding)
        else:
            report.left_out[finding.name] += 1
    report.findings.sort(key=lambda item: item.finding.code)


def _hide(report: HealthReport, project: Project, who: str) -> None:
    """Leave out what is about trajectories of whose verdicts something is hidden from ``who``."""
    folders = {item.finding.where: project.folder / item.finding.where for item in report.findings
               if item.finding.where.startswith(f"{TRAJECTORIES}/")}  # fmt: skip
    hidden: frozenset[Path] = (
        hidden_trajectories(project, folders.values(), who) if folders and who else frozenset()
    )
    if hidden:
        kept = [item for item in report.findings if folders.get(item.finding.where) not in hidden]
        report.hidden = len(report.findings) - len(kept)
        report.findings = kept

"""Anomalies that never appear where they are planned, and anomalies that change no outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from collector.metrics.breakdowns.known_anomalies import KnownAnomalies
from collector.metrics.pairs import baselines_of, with_baseline_success
from collector.model.i18n import _, ngettext
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix, health_finding
from collector.project_health.project_facts import ProjectFacts
from collector.project_health.rates import none_of
from collector.rules.grammar.model import INJECTION
from collector.store.files.layout import LIBRARY_FILE


def anomalies_never_appearing(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Anomalies that runs which ended by themselves planned, and that appeared in none of them."""
    if not facts.looks_at_all:
        return
    table, appeared = facts.episodes, facts.rows.appeared()
    planned: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for key, code, ended in zip(
        table.keys.tolist(), table.column("anomalies").tolist(), table.ended.tolist(), strict=True
    ):
        if not code or not ended:
            continue
        met = appeared.get(key, ())
        planned.update({name.strip() for name in table.texts[code].split(",")})
        seen.update(met)
    known = KnownAnomalies(facts.project).by_id
    few = 0
    for anomaly in sorted(set(planned) & set(known)):
        if planned[anomaly] < facts.thresholds.runs:
            few += 1
        elif not seen[anomaly]:
            rule = _rule_of(facts, anomaly)
            yield health_finding(
                "anomaly-never-appears",
                _("{anomaly} appeared in none of {count} runs that planned it",
                  anomaly=anomaly, count=planned[anomaly]),
                none_of(planned[anomaly]),
                _("See whether its rule ever holds, and whether its step is reached"),
                where=rule or _library(facts),
                fix=HealthFix(FixKind.SHOW_RULE, rule) if rule else _runs_with(anomaly),
            )  # fmt: skip
    _leave_out_few(facts, "anomaly-never-appears", few)


def anomalies_never_mattering(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Anomalies under which no run ended otherwise than its successful baseline, whatever its task."""
    if not facts.looks_at_all:
        return
    table = facts.episodes
    pairs = table.counted & table.met & with_baseline_success(table)
    baselines = np.maximum(baselines_of(table), 0)
    is_same = table.verdicts.status == table.verdicts.status[baselines]
    is_random = np.isin(table.column("agent"), [table.code(name) for name in facts.random_agents])
    rows = Counter(
        zip(
            table.column("anomalies")[pairs & ~is_random].tolist(), is_same[pairs & ~is_random].tolist(),
            strict=True,
        )
    )  # fmt: skip
    counts: dict[str, list[int]] = {}
    for (code, same), count in rows.items():
        names = table.texts[code].split(",")
        if len(names) == 1:  # of several nobody knows which one mattered
            known = counts.setdefault(names[0].strip(), [0, 0])
            known[0] += count
            known[1] += 0 if same else count
    few = 0
    for anomaly, (count, others) in sorted(counts.items()):
        if count < facts.thresholds.runs:
            few += 1
        elif not others:
            yield health_finding(
                "anomaly-never-matters",
                _("None of {count} runs under {anomaly} ended otherwise than its baseline",
                  anomaly=anomaly, count=count),
                none_of(count),
                _("Inject it where it covers what is needed, or leave it out"),
                where=_rule_of(facts, anomaly) or _library(facts), fix=_runs_with(anomaly),
            )  # fmt: skip
    _leave_out_few(facts, "anomaly-never-matters", few)


def _runs_with(anomaly: str) -> HealthFix:
    return HealthFix(FixKind.LIST_RUNS, f'anomaly:"{anomaly}" kind:run')


def _rule_of(facts: ProjectFacts, anomaly: str) -> str:
    """Where the first rule stands that injects an anomaly; empty when none does."""
    for rule in facts.rules:
        if rule.kind == INJECTION and any(action.interference_id == anomaly for action in rule.actions):
            return facts.place_of_rule(INJECTION, rule.id)
    return ""


def _library(facts: ProjectFacts) -> str:
    """The library of the project; empty where it has none, so that the anomaly is a built-in one."""
    return LIBRARY_FILE if facts.project.paths.library.is_file() else ""


def _leave_out_few(facts: ProjectFacts, name: str, few: int) -> None:
    if few:
        facts.leave_out(name, ngettext(
            "{count} anomaly has fewer than {least} such runs",
            "{count} anomalies have fewer than {least} such runs", few, least=facts.thresholds.runs,
        ))  # fmt: skip

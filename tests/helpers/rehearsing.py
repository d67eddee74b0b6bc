"""Rules rehearsed on a phone in memory, and injected as the command line and the window do."""

from __future__ import annotations

from collections.abc import Iterable

from collector.anomalies.injector import Injector
from collector.anomalies.model import Anomaly
from collector.anomalies.rehearsal import RehearsedRule, inject, rehearse_forced
from collector.anomalies.rehearsal_run import (
    PhoneObservation,
    RehearsalInput,
    RehearsalRun,
    RehearsalSetup,
    would_fire,
)
from collector.device.snapshot import TreeSnapshot
from collector.model.seeds import DEFAULT_SEED
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import WAYMARK, Rule


class PhoneRehearsal:
    """Tries ``rules`` on views of the phone of ``injector``; without one it is a dry run."""

    def __init__(
        self, rules: Iterable[Rule], anomalies: Iterable[Anomaly], injector: Injector | None = None, *,
        seed: int = DEFAULT_SEED, most: int = 1, semantics: str = WAYMARK,
    ) -> None:  # fmt: skip
        known = {anomaly.id: anomaly for anomaly in anomalies}
        self._given = RehearsalInput(tuple(rules), known, semantics, missing_fails=True)
        self._setup = RehearsalSetup(injector is not None, seed=seed, most=most)
        self._run, self._injector = RehearsalRun(self._setup), injector

    def judge(self, view: StateView) -> list[RehearsedRule]:
        snapshot = TreeSnapshot(view.xml, view.tree, 0, 0, "test", view.package, view.activity)
        waits = self._injector is not None and self._injector.open is not None
        state = self._run.judge(PhoneObservation(snapshot, dialog_open=waits), self._given, self._setup)
        for cell in would_fire(state):
            state.cells[cell.rule.id] = self._inject(cell, view.package)
        return list(state.cells.values())

    def force(self, rule: Rule) -> RehearsedRule:
        return self._inject(rehearse_forced(rule, 1, self._given.anomalies), "")

    def _inject(self, cell: RehearsedRule, package: str) -> RehearsedRule:
        if self._injector is None:
            return cell
        return inject(cell, self._given.anomalies, package, self._injector.fire)

"""Find the rules that D-GARA's engine judges differently on the states that are exported with them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from collector.exchange.dgara.rules_export import ExportedRules
from collector.exchange.exchange_log import ExchangeLog
from collector.model.i18n import _
from collector.project_rules.project_rules import ProjectRules
from collector.rules.backtest.backtest import BackTest
from collector.rules.backtest.corpus import Corpus
from collector.rules.grammar.model import DGARA, INJECTION, SUCCESS, WAYMARK, Rule
from collector.rules.grammar.rule_reader import read_rules
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory


def report_other_verdicts(
    project: Project, goldens: Iterable[Path], exported: ExportedRules, log: ExchangeLog
) -> None:
    """Report each rule whose verdict differs between this project and what D-GARA makes of the export."""
    written = [
        rule
        for file, kind in ((exported.injection, INJECTION), (exported.success, SUCCESS))
        for rule in read_rules(file.data.decode(), kind=kind).rules
    ]
    corpus = Corpus(map(open_trajectory, goldens), tasks=project.tasks, states=()) if written else None
    if corpus is None or not len(corpus):
        return
    own = ProjectRules(project)
    here, there = own.back_test(WAYMARK, corpus), own.back_test(DGARA, corpus)
    originals = {(rule.kind, rule.id): rule for rule in own.rules()}
    for rule in written:
        original = originals.get((rule.kind, rule.id))
        if original is not None and _differ(here, original, there, rule):
            text = _(
                "D-GARA judges a rule differently on recorded states; `waymark rules compare` shows where"
            )
            log.add("verdict-differs", text, step=rule.id)


def _differ(here: BackTest, original: Rule, there: BackTest, written: Rule) -> bool:
    return bool((here.run(original).verdicts.holds != there.run(written).verdicts.holds).any())

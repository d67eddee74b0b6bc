"""Each use case has one class or function in collector, for the command line and for the window."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "a phone opened for injections": (
        "collector.anomalies.injection_session.InjectionSession",
        "collector/cli/device/phone.py",
        "studio/bridge/anomalies/anomalies.py",
    ),
    "anomalies and rules of a project": (
        "collector.anomalies.anomaly_source.AnomalySource",
        "collector/cli/anomaly/fire.py",
        "studio/bridge/anomalies/anomalies.py",
    ),
    "the catalogue of anomalies": (
        "collector.anomalies.anomaly_source.AnomalySource",
        "collector/cli/anomaly/rehearse.py",
        "studio/bridge/anomalies/anomaly_catalogue.py",
    ),
    "trust in commands": (
        "collector.anomalies.trust.command_trust.CommandTrust",
        "collector/cli/device/phone.py",
        "studio/bridge/project_library.py",
    ),
    "a rehearsal": (
        "collector.anomalies.rehearsal_run.RehearsalRun",
        "collector/cli/anomaly/rehearse.py",
        "studio/bridge/anomalies/rehearsal.py",
    ),
    "the plan of a solvability check": (
        "collector.replay.solvability.plan.SolvabilityPlan",
        "collector/cli/anomaly/solvable.py",
        "studio/bridge/anomalies/solvability.py",
    ),
    "a solvability check": (
        "collector.replay.solvability.check.SolvabilityCheck",
        "collector/cli/anomaly/solvable.py",
        "studio/bridge/anomalies/solvability.py",
    ),
    "a back-test of a project": (
        "collector.project_rules.project_rules.ProjectRules",
        "collector/cli/rules/try_rules.py",
        "studio/bridge/rules/rule_backtests.py",
    ),
    "an export of trajectories side by side": (
        "collector.sharing.exports.export_review",
        "collector/cli/review/export.py",
        "studio/views/review/share_controller.py",
    ),
    "an import into a project": (
        "collector.exchange.exchange_reports.import_with_report",
        "collector/cli/project/exchange.py",
        "studio/bridge/project_exchange.py",
    ),
    "a proposal of essential states": (
        "collector.states.proposing.Proposing",
        "collector/cli/states/propose.py",
        "studio/views/states/proposals/proposal_controller.py",
    ),
    "a definition of essential states": (
        "collector.states.defining.Defining",
        "collector/cli/states/define.py",
        "studio/views/states/proposals/proposal_controller.py",
    ),
    "an audit of essential states": (
        "collector.states.auditing.Auditing",
        "collector/cli/states/audit.py",
        "studio/views/states/proposals/audit_controller.py",
    ),
    "a review of a trajectory": (
        "collector.review.reviewing.Reviewing",
        "collector/cli/review/options.py",
        "studio/bridge/review/reviewer_work.py",
    ),
    "recorded states that suggestions are judged by": (
        "collector.rules.suggest.samples.samples_of",
        "collector/cli/rules/try_rules.py",
        "studio/bridge/rules/rule_backtests.py",
    ),
}
PIECES = (
    "collector.anomalies.injector.Injector",
    "collector.anomalies.trust.trust.CommandGate",
    "collector.anomalies.trust.trust.TrustBook",
    "collector.anomalies.reader.read_library",
    "collector.rules.columns.dump_cache.DumpCache",
    "collector.rules.evaluation.trajectory_run.InjectionRun",
    "collector.rules.grammar.rule_files.rules_in",
    "collector.rules.suggest.rule_proposals.propose_success",
)
"""What the classes above are built of: a verb or a bridge that takes these builds its own."""


def imports_of(path: str) -> set[str]:
    """Dotted names that a module imports, inside functions too."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {
        f"{statement.module}.{alias.name}"
        for statement in ast.walk(tree)
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


def test_the_command_line_and_the_window_go_through_one_class() -> None:
    apart = [
        (case, path)
        for case, (shared, *paths) in CASES.items()
        for path in paths
        if shared not in imports_of(path)
    ]
    assert apart == []


def test_neither_builds_its_own_from_the_pieces() -> None:
    paths = {path for case in CASES.values() for path in case[1:]}
    assert {path: pieces for path in paths if (pieces := imports_of(path) & set(PIECES))} == {}

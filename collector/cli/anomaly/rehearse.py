"""``waymark anomaly rehearse``: try a project's injection rules on the live phone."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.dialogs.dialog_monitor import LOOK_EVERY_S
from collector.anomalies.events import FAILED, AnomalyEvent
from collector.anomalies.foreground_guard import require_clear
from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.model import Anomaly
from collector.anomalies.rehearsal import RehearsalOutcome, RehearsedRule, inject, rehearse_forced
from collector.anomalies.rehearsal_run import PhoneObservation, RehearsalInput, RehearsalRun, RehearsalSetup
from collector.anomalies.trust.command_preview import CommandSet
from collector.cli.anomaly.event_text import event_line
from collector.cli.device.phone import injecting, leased_phone, require_trust, say_pending, subscribe_events
from collector.cli.output import json_option, print_json, say
from collector.cli.rules.files import semantics_option
from collector.cli.shared_options import device_option, project_argument, trust_option
from collector.cli.step_numbers import FROM_1
from collector.cli.verb_groups import anomaly
from collector.device.device_lease import REHEARSAL
from collector.device.errors import DumpFailed
from collector.device.snapshot import TreeSnapshot
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import INJECTION, Rule

_PRINTED = (
    RehearsalOutcome.WOULD_FIRE, RehearsalOutcome.FIRED, RehearsalOutcome.SUPPRESSED, RehearsalOutcome.NEAR,
    RehearsalOutcome.FAILED,
)  # fmt: skip


@anomaly.command()
@project_argument
@device_option
@click.option("--rule", "wanted", metavar="ID", multiple=True, help="Only this rule; repeatable.")
@click.option("--dry-run", is_flag=True, help="Report what would fire, and why; inject nothing.")
@click.option(
    "--force", is_flag=True, help="Fire the rule now, whatever the screen shows; needs exactly one --rule."
)
@click.option(
    "--max-states", type=click.IntRange(1), default=1, show_default=True, help="States to judge at most."
)
@click.option(
    "--wait", type=click.FloatRange(0), default=60.0, show_default=True, metavar="SECONDS",
    help="Seconds to wait for the next state, and for the answer to a dialog.",
)  # fmt: skip
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the random draws.")
@click.option(
    "--max-interferences",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Anomalies in an episode at most.",
)
@semantics_option
@trust_option("Trust the project's commands that are not trusted yet.")
@json_option
def rehearse(
    folder: Path, serial: str, wanted: tuple[str, ...], dry_run: bool, force: bool, max_states: int,
    wait: float, seed: int, max_interferences: int, semantics: str | None, trust: bool, as_json: bool,
) -> int:  # fmt: skip
    """Try PROJECT's injection rules on what the phone shows now, and inject what fires.

    With --max-states it also tries them on the screens that follow.
    Exit status: 0 done, 1 something failed, 2 wrong usage.
    """
    source = AnomalySource.open(folder)
    project = source.project
    assert project is not None
    rules = _rules(source, wanted)
    if force and len(rules) != 1:
        raise click.UsageError(_("--force wants one rule: name it with --rule"))
    chosen = semantics or project.semantics
    given = RehearsalInput(
        rules, {listed.anomaly.id: listed.anomaly for listed in source.listed()}, chosen, project.folder,
        missing_fails=True,
    )  # fmt: skip
    setup = RehearsalSetup(not dry_run, seed=seed, most=max_interferences)
    if not dry_run:
        require_trust(source.trust, CommandSet(_injected_by(rules, source), rules), yes=trust)
    events: list[AnomalyEvent] = []
    activity = "" if dry_run else REHEARSAL
    with leased_phone(serial, activity) as device, injecting(device, source.trust) as session:
        subscribe_events(session, events.append)
        if not as_json:
            subscribe_events(session, lambda event: say("  " + event_line(event)))
        rehearsal = _Rehearsal(session, given, setup, wait)
        cells = rehearsal.force(rules[0]) if force else rehearsal.states(max_states)
        rows = [_print_cell(cell, as_json) for cell in cells]
        rehearsal.finish()
        left = session.injector.pending
    if as_json:
        print_json({**FROM_1, "project": project.name, "semantics": chosen, "seed": seed, "dry_run": dry_run,
                    "rules": rows, "events": [event.as_line() for event in events]})  # fmt: skip
    else:
        if all(row["shown"] == RehearsalOutcome.SILENT for row in rows):
            say(_("No rule fires here, or nearly does"))
        if left:
            say_pending(len(left))
    failed = any(row["shown"] == RehearsalOutcome.FAILED for row in rows)
    return int(failed or any(event.kind == FAILED for event in events))


def _rules(source: AnomalySource, wanted: tuple[str, ...]) -> list[Rule]:
    rules = [rule for rule in source.rules() if rule.kind == INJECTION]
    unknown = set(wanted) - {rule.id for rule in rules}
    if unknown:
        raise RuleError(_("The project has no injection rule {id}", id=min(unknown)))
    if not rules:
        raise RuleError(_("The project has no injection rules"), "", _("Make one in the Rules workspace"))
    return [rule for rule in rules if not wanted or rule.id in wanted]


def _injected_by(rules: list[Rule], source: AnomalySource) -> list[Anomaly]:
    ids = dict.fromkeys(action.interference_id for rule in rules for action in rule.actions)
    return [anomaly for anomaly_id in ids if (anomaly := source.find(anomaly_id)) is not None]


class _Rehearsal:
    """Reads the states of the phone, tries the rules on them and injects what fires."""

    def __init__(
        self, session: InjectionSession, given: RehearsalInput, setup: RehearsalSetup, within: float
    ) -> None:
        self._session, self._given, self._setup, self._within = session, given, setup, within
        self._run = RehearsalRun(setup)
        self._never = threading.Event()

    def force(self, rule: Rule) -> Iterator[RehearsedRule]:
        """Fire one rule now, whatever the screen shows."""
        yield self._inject(rehearse_forced(rule, 1, self._given.anomalies), "")

    def states(self, count: int) -> Iterator[RehearsedRule]:
        """Try every rule on ``count`` states, or until no new one comes in time."""
        before: TreeSnapshot | None = None
        for number in range(1, count + 1):
            snapshot = self._next_state(before)
            if snapshot is None and before is None:
                raise DumpFailed(
                    _("The screen cannot be read"), _("it does not come to rest"), _("Try again")
                )
            if snapshot is None:
                say(_("The screen did not change any more"), err=True)
                return
            dialog_open = self._session.injector.open is not None
            observation = PhoneObservation(snapshot, dialog_open=dialog_open)
            state = self._run.judge(observation, self._given, self._setup)
            for cell in state.cells.values():
                yield self._inject(cell, state.view.package)
            if number < count:
                self._wait()
            before = snapshot

    def finish(self) -> None:
        """Wait for the answer to the last dialog; what stays on the phone is left there on purpose."""
        self._wait()
        self._session.keep_all()

    def _inject(self, cell: RehearsedRule, package: str) -> RehearsedRule:
        if not self._setup.live or cell.shown is not RehearsalOutcome.WOULD_FIRE:
            return cell
        return inject(cell, self._given.anomalies, package, self._session.fire)

    def _wait(self) -> None:
        injection = self._session.injector.open
        if injection is not None:
            self._session.wait_until_over(injection, self._within)

    def _next_state(self, before: TreeSnapshot | None) -> TreeSnapshot | None:
        """The screen once it differs from ``before``, without our own dialogs; None when time is over.

        Raises DialogInFront for a dialog that is there from the start: nobody here waits for its answer.
        """
        device = self._session.device
        trees, end = UiautomatorSource(device), time.monotonic() + self._within
        while True:
            snapshot = _snapshot(trees, self._never)
            if before is None and snapshot is not None and snapshot.package == COMPANION_PACKAGE:
                require_clear(device)
            is_app = snapshot is not None and snapshot.package != COMPANION_PACKAGE
            if snapshot is not None and is_app and (before is None or snapshot.xml != before.xml):
                return snapshot
            if time.monotonic() > end:
                return None
            self._never.wait(LOOK_EVERY_S)


def _snapshot(trees: UiautomatorSource, never: threading.Event) -> TreeSnapshot | None:
    """None while the screen moves too much to be read."""
    try:
        return trees.snapshot(never)
    except DumpFailed:
        return None


def _print_cell(cell: RehearsedRule, as_json: bool) -> dict[str, Any]:
    if not as_json and cell.shown in _PRINTED:
        say(_line(cell))
    return {
        "step": cell.step, "rule": cell.rule.id, "shown": str(cell.shown), "anomaly": cell.anomaly,
        "reason": cell.reason, "probability": cell.probability, "draw": cell.draw, "forced": cell.forced,
        "injection": cell.injected.id if cell.injected is not None else "",
    }  # fmt: skip


def _line(cell: RehearsedRule) -> str:
    words = {
        RehearsalOutcome.WOULD_FIRE: _("would fire {anomaly}", anomaly=cell.anomaly),
        RehearsalOutcome.FIRED: _("fired {anomaly}", anomaly=cell.anomaly),
        RehearsalOutcome.SUPPRESSED: _("held back"),
        RehearsalOutcome.NEAR: _("near miss"),
        RehearsalOutcome.FAILED: _("failed"),
    }
    return _("state {step}: {rule}: {what}: {why}", step=cell.step, rule=cell.rule.id,
             what=words[cell.shown], why=cell.reason)  # fmt: skip

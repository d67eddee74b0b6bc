"""``waymark anomaly rehearse``: a project's injection rules against the live phone."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from collector.anomalies.command_preview import CommandSet
from collector.anomalies.dialog_monitor import LOOK_EVERY_S, wait_until_over
from collector.anomalies.events import FAILED, AnomalyEvent
from collector.anomalies.foreground_guard import require_clear
from collector.anomalies.injector import Injector
from collector.anomalies.model import Anomaly
from collector.anomalies.rehearsal import Rehearsal, RehearsalOutcome, RehearsedRule
from collector.cli.anomaly import anomaly
from collector.cli.event_text import event_line
from collector.cli.output import json_option, print_json, say
from collector.cli.phone import AnomalySource, device_option, injecting, say_pending
from collector.cli.rule_files import ProjectRules
from collector.device.errors import DumpFailed
from collector.device.protocols import Device
from collector.device.snapshot import TreeSnapshot
from collector.device.uiautomator_source import UiautomatorSource
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import _
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.trajectory_run import DEFAULT_SEED, InjectionRun
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import INJECTION, SEMANTICS, Rule

_TOLD = (
    RehearsalOutcome.WOULD_FIRE,
    RehearsalOutcome.FIRED,
    RehearsalOutcome.SUPPRESSED,
    RehearsalOutcome.NEAR,
    RehearsalOutcome.FAILED,
)


def register(command: click.Group) -> None:
    """The verb joined the group as this module was read; the group itself is put on by its own."""
    assert "anomaly" in command.commands


@anomaly.command()
@click.argument("folder", metavar="PROJECT", type=click.Path(path_type=Path), default=".")
@device_option
@click.option("--rule", "wanted", metavar="ID", multiple=True, help="Only this rule; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Only tell what would fire, and why; inject nothing.")
@click.option("--force", is_flag=True, help="Fire the rule now, whatever the screen shows; wants one --rule.")
@click.option("--states", type=click.IntRange(1), default=1, show_default=True, help="States to judge.")
@click.option(
    "--within", type=click.FloatRange(0), default=60.0, show_default=True,
    help="Seconds to wait for the next state, and for the answer to a dialog.",
)  # fmt: skip
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="What chances are drawn from."
)
@click.option(
    "--max-interferences", type=click.IntRange(0), default=1, show_default=True, help="At most so many."
)
@click.option(
    "--semantics", type=click.Choice(SEMANTICS), help="Whose verdicts count; the project's by default."
)
@click.option("--trust", is_flag=True, help="Trust the project's commands that nobody trusted yet.")
@json_option
def rehearse(
    folder: Path, serial: str, wanted: tuple[str, ...], dry_run: bool, force: bool, states: int,
    within: float, seed: int, max_interferences: int, semantics: str | None, trust: bool, as_json: bool,
) -> int:  # fmt: skip
    """Try PROJECT's injection rules on what the phone shows now, and inject what fires.

    With --states the screens that follow are judged as well, as the phone comes to them.
    Exit status: 0 done, 1 something failed, 2 wrong usage.
    """
    source, own = AnomalySource(folder, None), ProjectRules.open(folder)
    rules = _rules(own, wanted)
    if force and len(rules) != 1:
        raise click.UsageError(_("--force wants one rule: name it with --rule"))
    chosen = semantics or own.project.semantics
    run = InjectionRun(
        rules, None, chosen, seed=seed, max_interferences=max_interferences,
        images=ImageFiles(own.project.folder),
    )  # fmt: skip
    if not dry_run:
        source.require_trust(CommandSet(_injected_by(rules, source), rules), yes=trust)
    events: list[AnomalyEvent] = []
    with injecting(serial, source.gate()) as injector:
        injector.events.subscribe(events.append)
        if not as_json:
            injector.events.subscribe(lambda event: say("  " + event_line(event)))
        rehearsal = Rehearsal(run, source.find, None if dry_run else injector)
        told = _forced(rehearsal, rules[0]) if force else _tried(rehearsal, injector, states, within)
        rows = [_tell(one, as_json) for one in told]
        _see_out(injector, within)
        left = injector.pending
    if as_json:
        print_json({"project": own.project.name, "semantics": chosen, "seed": seed, "dry_run": dry_run,
                    "rules": rows, "events": [event.as_line() for event in events]})  # fmt: skip
    else:
        if all(row["shown"] == RehearsalOutcome.SILENT for row in rows):
            say(_("No rule fires here, or nearly does"))
        if left:
            say_pending(len(left))
    failed = any(row["shown"] == RehearsalOutcome.FAILED for row in rows)
    return int(failed or any(event.kind == FAILED for event in events))


def _rules(own: ProjectRules, wanted: tuple[str, ...]) -> list[Rule]:
    rules = [rule for rule in own.rules() if rule.kind == INJECTION]
    unknown = set(wanted) - {rule.id for rule in rules}
    if unknown:
        raise RuleError(_("The project has no injection rule {id}", id=min(unknown)))
    if not rules:
        raise RuleError(_("The project has no injection rules"), "", _("Make one in the Rules workspace"))
    return [rule for rule in rules if not wanted or rule.id in wanted]


def _injected_by(rules: list[Rule], source: AnomalySource) -> list[Anomaly]:
    ids = dict.fromkeys(action.interference_id for rule in rules for action in rule.actions)
    return [found for one in ids if (found := source.find(one)) is not None]


def _forced(rehearsal: Rehearsal, rule: Rule) -> Iterator[RehearsedRule]:
    yield rehearsal.force(rule, 1)


def _tried(rehearsal: Rehearsal, injector: Injector, states: int, within: float) -> Iterator[RehearsedRule]:
    """Every rule at every state, until there were ``states`` or no new one came in time."""
    before: StateView | None = None
    for number in range(1, states + 1):
        view = _next_state(injector.device, before, number, within)
        if view is None and before is None:
            raise DumpFailed(_("The screen cannot be read"), _("it does not come to rest"), _("Try again"))
        if view is None:
            say(_("The screen did not change any more"), err=True)
            return
        yield from rehearsal.state(view)
        one = injector.open
        if one is not None and number < states:
            wait_until_over(injector, one, within, threading.Event())
        before = view


def _next_state(device: Device, before: StateView | None, number: int, within: float) -> StateView | None:
    """The screen once it is another than ``before``, dialogs of ours left out; None when time is over.

    Raises DialogInFront for a dialog that lies there from the start: nobody here waits for its answer.
    """
    trees, never = UiautomatorSource(device), threading.Event()
    end = time.monotonic() + within
    while True:
        snapshot = _snapshot(trees, never)
        if before is None and snapshot is not None and snapshot.package == COMPANION_PACKAGE:
            require_clear(device)
        if snapshot is not None and snapshot.package != COMPANION_PACKAGE:
            view = StateView(
                snapshot.tree, snapshot.xml, snapshot.package, snapshot.activity, number, previous=before
            )
            if before is None or snapshot.xml != before.xml:
                return view
        if time.monotonic() > end:
            return None
        never.wait(LOOK_EVERY_S)


def _snapshot(trees: UiautomatorSource, never: threading.Event) -> TreeSnapshot | None:
    """None while the screen moves too much to be read."""
    try:
        return trees.snapshot(never)
    except DumpFailed:
        return None


def _see_out(injector: Injector, within: float) -> None:
    """Watch the last dialog for its answer; what stays is left on purpose."""
    one = injector.open
    if one is not None:
        wait_until_over(injector, one, within, threading.Event())
    for left in injector.injected:
        if not left.is_over and not left.was_so:
            injector.keep(left.id)


def _tell(one: RehearsedRule, as_json: bool) -> dict[str, Any]:
    if not as_json and one.shown in _TOLD:
        say(_line(one))
    return {
        "step": one.step, "rule": one.rule.id, "shown": str(one.shown), "anomaly": one.anomaly,
        "reason": one.reason, "probability": one.probability, "draw": one.draw, "forced": one.forced,
        "injection": one.injected.id if one.injected is not None else "",
    }  # fmt: skip


def _line(one: RehearsedRule) -> str:
    words = {
        RehearsalOutcome.WOULD_FIRE: _("would fire {anomaly}", anomaly=one.anomaly),
        RehearsalOutcome.FIRED: _("fired {anomaly}", anomaly=one.anomaly),
        RehearsalOutcome.SUPPRESSED: _("held back"),
        RehearsalOutcome.NEAR: _("near miss"),
        RehearsalOutcome.FAILED: _("failed"),
    }
    return _("state {step}: {rule}: {what}: {why}", step=one.step, rule=one.rule.id, what=words[one.shown],
             why=one.reason)  # fmt: skip

"""``waymark anomaly fire`` and ``undo``: inject on a phone, follow what becomes of it, take it back."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from collector.anomalies.command_preview import CommandSet
from collector.anomalies.dialog_monitor import wait_until_over
from collector.anomalies.events import FAILED, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.journal import PendingChange
from collector.anomalies.undo import UndoResult
from collector.cli.anomaly import anomaly
from collector.cli.event_text import event_line
from collector.cli.output import json_option, print_json, say
from collector.cli.phone import AnomalySource, device_option, injecting, say_pending
from collector.cli.rule_files import FILE
from collector.model.errors import UserError
from collector.model.i18n import _

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def register(command: click.Group) -> None:
    """The verbs joined the group as this module was read; the group itself is put on by its own."""
    assert "anomaly" in command.commands


@anomaly.command()
@click.argument("anomaly_id", metavar="ID")
@device_option
@click.option("--package", default="", help="The app it meets; the one in front by default.")
@click.option("--set", "given", metavar="NAME=VALUE", multiple=True, help="A parameter; may be repeated.")
@click.option("--project", type=_FOLDER, help="Take the anomaly from this project's library.")
@click.option("--library", type=FILE, help="Take the anomaly from this library.")
@click.option(
    "--wait", type=click.FloatRange(0), default=60.0, show_default=True,
    help="Seconds a dialog is watched for its answer; 0 leaves it open and returns.",
)  # fmt: skip
@click.option(
    "--hold",
    type=click.FloatRange(0),
    help="Seconds a native change is held and then taken back; else it stays.",
)
@click.option("--trust", is_flag=True, help="Trust the library's commands that nobody trusted yet.")
@click.option("--allow-dangerous", is_flag=True, help="Run commands that wipe, restart or uninstall, too.")
@json_option
def fire(
    anomaly_id: str, serial: str, package: str, given: tuple[str, ...], project: Path | None,
    library: Path | None, wait: float, hold: float | None, trust: bool, allow_dangerous: bool, as_json: bool,
) -> int:  # fmt: skip
    """Inject an anomaly, tell what becomes of it, and run what follows its answer.

    A native change stays until it is undone. Exit status: 0 done, 1 something of it failed, 2 wrong usage.
    """
    source = AnomalySource(project, library)
    found = source.anomaly(anomaly_id)
    values = _pairs(given)
    source.require_trust(CommandSet([found]), yes=trust)
    events: list[AnomalyEvent] = []
    with injecting(serial, source.gate(dangerous=allow_dangerous)) as injector:
        injector.events.subscribe(events.append)
        if not as_json:
            injector.events.subscribe(lambda event: say(event_line(event)))
        one = injector.fire(InjectionRequest(found, package, values))
        _see_to_its_end(injector, one, wait, hold)
        left = injector.pending
    if as_json:
        print_json(_told(one, events, left))
    elif any(entry.id == one.id for entry in left):
        say_pending(len(left))
    return int(any(event.kind == FAILED for event in events))


def _see_to_its_end(injector: Injector, one: InjectedAnomaly, wait: float, hold: float | None) -> None:
    """Watch a dialog, or hold a change for its time; what is left on purpose is kept."""
    never = threading.Event()
    if one.stage is InjectionStage.OPEN and wait:
        wait_until_over(injector, one, wait, never)
    elif one.stage is InjectionStage.ACTIVE and hold is not None:
        never.wait(hold)
        injector.undo(one.id)
    if not one.is_over:
        injector.keep(one.id)


@anomaly.command()
@click.argument("injections", metavar="[INJECTION]...", nargs=-1)
@device_option
@click.option("--all", "everything", is_flag=True, help="Take back all there is.")
@json_option
def undo(injections: tuple[str, ...], serial: str, everything: bool, as_json: bool) -> int:
    """Take back what anomalies changed on a phone; without INJECTION or --all, list it.

    What an earlier command or a studio that died left is taken back as well.
    Exit status: 0 done, 1 something could not be taken back, 2 wrong usage.
    """
    with injecting(serial) as injector:
        pending = injector.pending
        unknown = sorted(set(injections) - {one.id for one in pending})
        if unknown:
            raise UserError(
                _("Nothing on this phone has the id {id}", id=unknown[0]),
                "",
                _("List what there is: waymark anomaly undo"),
            )
        if not injections and not everything:
            _list(pending, as_json)
            return 0
        taken = injector.undo_all() if everything else list(_each(injector, injections))
    if as_json:
        print_json({"undone": [_taken(one) for one in taken]})
    else:
        for one in taken:
            say(_line(one))
        if not taken:
            say(_("Nothing is changed on this phone"))
    return int(any(one.problem for one in taken))


def _each(injector: Injector, injections: Iterable[str]) -> Iterable[UndoResult]:
    for injection in injections:
        found = injector.undo(injection)
        if found is not None:
            yield found


def _list(pending: tuple[PendingChange, ...], as_json: bool) -> None:
    if as_json:
        print_json({"pending": [_pending(one) for one in pending]})
        return
    for one in pending:
        say(f"{one.id}  {one.anomaly}  {one.since}  {'; '.join(one.undo)}")
        if one.problem:
            say(f"    {one.problem}")
    if not pending:
        say(_("Nothing is changed on this phone"))


def _line(one: UndoResult) -> str:
    if one.problem:
        return _("{anomaly} could not be taken back: {why}", anomaly=one.pending.anomaly, why=one.problem)
    return _("{anomaly} is taken back", anomaly=one.pending.anomaly)


def _pairs(given: tuple[str, ...]) -> dict[str, object]:
    pairs = [one.partition("=") for one in given]
    for name, equals, _value in pairs:
        if not name or not equals:
            raise click.BadParameter(_("write it as NAME=VALUE"), param_hint="--set")
    return {name: value for name, _equals, value in pairs}


def _told(
    one: InjectedAnomaly, events: list[AnomalyEvent], left: tuple[PendingChange, ...]
) -> dict[str, Any]:
    return {
        "injection": one.id, "anomaly": one.anomaly.id, "stage": str(one.stage), "answer": one.answer,
        "event": one.event, "command": one.command, "already": one.was_so,
        "events": [event.as_line() for event in events], "pending": [_pending(entry) for entry in left],
    }  # fmt: skip


def _pending(one: PendingChange) -> dict[str, Any]:
    return {
        "injection": one.id, "anomaly": one.anomaly, "native": one.native, "since": one.since,
        "undo": list(one.undo), "kept": one.kept, "problem": one.problem,
    }  # fmt: skip


def _taken(one: UndoResult) -> dict[str, Any]:
    return _pending(one.pending) | {"problem": one.problem}

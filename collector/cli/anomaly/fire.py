"""``waymark anomaly fire`` and ``undo``: inject on a phone, follow the injection, and undo it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import click

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.events import FAILED, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.journal import PendingChange
from collector.anomalies.trust.command_preview import CommandSet
from collector.anomalies.undo import UndoResult
from collector.cli.anomaly.event_text import event_line
from collector.cli.device.phone import injecting, leased_phone, require_trust, say_pending, subscribe_events
from collector.cli.option_values import set_option, set_values
from collector.cli.output import json_option, print_json, say
from collector.cli.rules.files import library_option
from collector.cli.shared_options import device_option, trust_option
from collector.cli.verb_groups import anomaly
from collector.device.device_lease import INJECTION, UNDO
from collector.model.errors import UserError
from collector.model.i18n import _

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@anomaly.command()
@click.argument("anomaly_id", metavar="ID")
@device_option
@click.option("--package", default="", help="Package of the app to interrupt; by default the app in front.")
@set_option
@click.option("--project", type=_FOLDER, help="Take the anomaly from this project's library.")
@library_option
@click.option(
    "--wait", type=click.FloatRange(0), default=60.0, show_default=True, metavar="SECONDS",
    help="Seconds to wait for the answer to a dialog; 0 leaves it open and returns.",
)  # fmt: skip
@click.option(
    "--undo-after",
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="Seconds until a native change is undone; without it the change stays.",
)
@trust_option("Trust the library's commands that are not trusted yet.")
@click.option("--allow-dangerous", is_flag=True, help="Also run commands that wipe, restart or uninstall.")
@json_option
def fire(
    anomaly_id: str, serial: str, package: str, given: tuple[str, ...], project: Path | None,
    library: Path | None, wait: float, undo_after: float | None, trust: bool, allow_dangerous: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Inject an anomaly, report its answer, and run the follow-up.

    A native change stays until it is undone. Exit status: 0 done, 1 a part failed, 2 wrong usage.
    """
    source = AnomalySource.open(project, library)
    declared = source.anomaly(anomaly_id)
    values = set_values(given)
    require_trust(source.trust, CommandSet([declared]), yes=trust)
    events: list[AnomalyEvent] = []
    with (
        leased_phone(serial, INJECTION) as device,
        injecting(device, source.trust, dangerous=allow_dangerous) as session,
    ):
        subscribe_events(session, events.append)
        if not as_json:
            subscribe_events(session, lambda event: say(event_line(event)))
        injection = session.fire(InjectionRequest(declared, package, values))
        _follow(session, injection, wait, undo_after)
        left = session.pending
    if as_json:
        print_json(_as_dict(injection, events, left))
    elif any(change.id == injection.id for change in left):
        say_pending(len(left))
    return int(any(event.kind == FAILED for event in events))


def _follow(
    session: InjectionSession, injection: InjectedAnomaly, wait: float, undo_after: float | None
) -> None:
    """Wait for the answer to a dialog, or undo a change after its time; keep what is left on purpose."""
    if injection.stage is InjectionStage.OPEN and wait:
        session.wait_until_over(injection, wait)
    elif injection.stage is InjectionStage.ACTIVE and undo_after is not None:
        threading.Event().wait(undo_after)
        session.undo(injection.id)
    session.keep_all()


@anomaly.command()
@click.argument("injections", metavar="[INJECTION]...", nargs=-1)
@device_option
@click.option("--all", "everything", is_flag=True, help="Undo everything.")
@json_option
def undo(injections: tuple[str, ...], serial: str, everything: bool, as_json: bool) -> int:
    """Undo what anomalies changed on a phone; without INJECTION or --all, list it.

    This includes changes left by an earlier command or a crashed studio.
    Exit status: 0 done, 1 something could not be undone, 2 wrong usage.
    """
    activity = UNDO if injections or everything else ""
    with leased_phone(serial, activity) as device, injecting(device) as session:
        pending = session.pending
        unknown = sorted(set(injections) - {change.id for change in pending})
        if unknown:
            raise UserError(
                _("Nothing on this phone has the id {id}", id=unknown[0]),
                "",
                _("List what there is: waymark anomaly undo"),
            )
        if not injections and not everything:
            _list(pending, as_json)
            return 0
        ids = ("",) if everything else injections
        results = [result for injection in ids for result in session.undo(injection)]
    if as_json:
        print_json({"undone": [_undone(result) for result in results]})
    else:
        for result in results:
            say(_line(result))
        if not results:
            say(_("Nothing is changed on this phone"))
    return int(any(result.problem for result in results))


def _list(pending: tuple[PendingChange, ...], as_json: bool) -> None:
    if as_json:
        print_json({"pending": [_pending(change) for change in pending]})
        return
    for change in pending:
        say(f"{change.id}  {change.anomaly}  {change.since}  {'; '.join(change.undo)}")
        if change.problem:
            say(f"    {change.problem}")
    if not pending:
        say(_("Nothing is changed on this phone"))


def _line(result: UndoResult) -> str:
    anomaly_id = result.pending.anomaly
    if result.problem:
        return _("{anomaly} could not be undone: {why}", anomaly=anomaly_id, why=result.problem)
    return _("{anomaly} is undone", anomaly=anomaly_id)


def _as_dict(
    injection: InjectedAnomaly, events: list[AnomalyEvent], left: tuple[PendingChange, ...]
) -> dict[str, Any]:
    return {
        "injection": injection.id, "anomaly": injection.anomaly.id, "stage": str(injection.stage),
        "answer": injection.answer, "event": injection.event, "how": injection.how,
        "command": injection.command, "already": injection.was_so,
        "events": [event.as_line() for event in events], "pending": [_pending(change) for change in left],
    }  # fmt: skip


def _pending(change: PendingChange) -> dict[str, Any]:
    return {
        "injection": change.id, "anomaly": change.anomaly, "native": change.native, "since": change.since,
        "undo": list(change.undo), "kept": change.kept, "problem": change.problem,
    }  # fmt: skip


def _undone(result: UndoResult) -> dict[str, Any]:
    return _pending(result.pending) | {"problem": result.problem}

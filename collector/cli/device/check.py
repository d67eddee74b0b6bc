"""``waymark device check``: what works on a phone, step by step, and which workspaces can use it."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import click

from collector.cli.device.phone import leased_phone
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import device_option, write_new_bytes
from collector.cli.verb_groups import device
from collector.device.device_lease import DEVICE_CHECK
from collector.device_check.check import DeviceCheck
from collector.device_check.events import (
    CheckEvent,
    CheckStepFinished,
    CheckStepProgress,
    CheckStepStarted,
    PhoneRestored,
)
from collector.device_check.report_page import report_page
from collector.device_check.results import DeviceCheckResults
from collector.device_check.results_document import results_as_dict
from collector.device_check.results_text import measurement_text, outcome_text, quirk_lines, verdict_lines
from collector.device_check.steps.all_steps import STEPS, chosen_steps
from collector.model.i18n import _

_IDS = ", ".join(step.id for step in STEPS)


@device.command()
@device_option
@click.option("--yes", is_flag=True, help="Also run the steps that may disturb, without a question.")
@click.option(
    "--report", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.html",
    help="Write a page to send to others, without anything private.",
)  # fmt: skip
@click.option(
    "--only", multiple=True, metavar="STEP", help=f"Run this step alone; repeatable. One of: {_IDS}."
)
@json_option
def check(serial: str, report: Path | None, yes: bool, only: tuple[str, ...], as_json: bool) -> int:
    """Check what works on a phone, in 3 minutes, and leave it as it was.

    Steps that may disturb, such as a call, are asked about first. Exit status: 0 every workspace can use
    the phone, 1 one cannot or the check did not end, 2 wrong usage.
    """
    steps = chosen_steps(only)
    with leased_phone(serial, DEVICE_CHECK) as phone:
        asking = _Asking()
        checking = DeviceCheck(phone, steps, (lambda _question: True) if yes else asking.confirm)
        checking.events.subscribe(_print_event if not as_json else lambda _event: None)
        with _cancelled_by_signals(checking, asking):
            results = checking.run()
    if report is not None:
        write_new_bytes(report, report_page(results), replaces=True)
    if as_json:
        print_json(results_as_dict(results))
    else:
        _print_results(results)
    return int(bool(results.end) or not all(verdict.works for verdict in results.verdicts))


def _print_event(event: CheckEvent) -> None:
    match event:
        case CheckStepStarted():
            say(f"[{event.number}/{event.count}] {event.title}")
        case CheckStepProgress():
            say(f"    {event.text}")
        case CheckStepFinished():
            _print_result(event)
        case PhoneRestored():
            _print_restored(event)


def _print_result(event: CheckStepFinished) -> None:
    result = event.result
    for measurement in result.measurements:
        say(f"    {measurement_text(measurement)}")
    for ability in result.abilities:
        if not ability.works:
            say(f"    {ability.id}: {ability.reason}")
    say(f"    {outcome_text(result)}")


def _print_restored(event: PhoneRestored) -> None:
    if not event.unrestored:
        say(_("The phone is as it was before"))
    for what in event.unrestored:
        say(what)


def _print_results(results: DeviceCheckResults) -> None:
    if results.end:
        say(results.end)
    for line in (*quirk_lines(results.quirks), *verdict_lines(results.verdicts)):
        say(line)


class _Asking:
    """Asks a person on the terminal; where there is none, the answer is no."""

    def __init__(self) -> None:
        self.waits = False

    def confirm(self, question: str) -> bool:
        """The answer; no when it is interrupted."""
        if not sys.stdin.isatty():
            return False
        self.waits = True
        try:
            return click.confirm(question, default=False, err=True)
        except click.Abort:
            return False
        finally:
            self.waits = False


@contextlib.contextmanager
def _cancelled_by_signals(checking: DeviceCheck, asking: _Asking) -> Iterator[None]:
    """Let Ctrl+C end the check, which puts the phone back as it was, and a question that waits."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_arguments: object) -> None:
        checking.cancel()
        if asking.waits:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

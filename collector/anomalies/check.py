"""Check a library beyond its grammar, as far as the library alone allows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from collector.anomalies import grammar
from collector.anomalies.model import (
    COMPANION_KIND,
    NATIVE,
    Anomaly,
    AnomalyLibrary,
    AnomalyParameter,
    ShellCommand,
)
from collector.anomalies.trust.dangerous_commands import danger_of
from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.nearest_word import did_you_mean
from collector.model.anomaly_terms import COMPANION_PACKAGE, DISMISS, EVENT_PREFIX, STANDARD_ANSWERS
from collector.model.companion.activities import ACTIVITIES, STYLE
from collector.model.companion.chain import CHAIN, read_chain
from collector.model.i18n import _
from collector.rules.lint.library_checks import is_of_an_app, named_packages

_SHOWN = re.compile(re.escape(COMPANION_PACKAGE) + r"/(?:" + re.escape(COMPANION_PACKAGE) + r")?\.(\w+)")
"""A command that starts a page of the companion app."""


def check_library(library: AnomalyLibrary) -> list[Diagnostic]:
    """All diagnostics of a library, those of its reading included, in the order of the file."""
    diagnostics = [*library.diagnostics, *check_ids(library)]
    for anomaly in library.anomalies:
        diagnostics += (replace(diagnostic, rule_id=anomaly.id) for diagnostic in _diagnostics(anomaly))
    return in_order(replace(diagnostic, path=library.path) for diagnostic in diagnostics)


def check_ids(library: AnomalyLibrary) -> Iterator[Diagnostic]:
    """Check the entries together: no id is there twice."""
    seen: set[str] = set()
    for anomaly in library.anomalies:
        if anomaly.id and anomaly.id in seen:
            what = _("Another anomaly has the id {id} already", id=anomaly.id)
            yield diagnostic("duplicate-id", anomaly.place, what, rule_id=anomaly.id)
        seen.add(anomaly.id)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort diagnostics by their place in the file."""
    return sorted(diagnostics, key=lambda entry: (entry.place, entry.code))


def _diagnostics(anomaly: Anomaly) -> Iterator[Diagnostic]:
    if anomaly.kind == COMPANION_KIND:
        yield from _activity(anomaly)
        yield from _answers(anomaly)
    else:
        yield from _undo(anomaly)
    yield from _packages(anomaly)
    for command in anomaly.commands:
        yield from _command(anomaly, command)


def _activity(anomaly: Anomaly) -> Iterator[Diagnostic]:
    known = ACTIVITIES.get(anomaly.activity)
    if known is None:
        if anomaly.activity:
            what = _("The companion app has no activity {name}", name=anomaly.activity)
            fixes = did_you_mean(anomaly.activity, ACTIVITIES, anomaly.activity_place)
            yield diagnostic("unknown-activity", anomaly.activity_place, what, fixes=fixes)
        return
    for parameter in anomaly.parameters:
        if parameter.name == CHAIN:
            yield from _chain(parameter)
        elif parameter.name not in known.known and parameter.name not in STYLE:
            what = _("{activity} does not read {name}", activity=anomaly.activity, name=parameter.name)
            yield diagnostic("unknown-key", parameter.place, what)


def _chain(parameter: AnomalyParameter) -> Iterator[Diagnostic]:
    """The dialogs that follow: each an activity that the companion app has, with parameters that it reads."""
    links = read_chain(parameter.value)
    if links is None:
        what = _("{name} is no chain of dialogs", name=parameter.name)
        why = _("It is a JSON list of objects with activity and parameters")
        yield diagnostic("wrong-shape", parameter.place, what, why)
    for link in links or ():
        known = ACTIVITIES.get(link.activity)
        if known is None:
            what = _("The companion app has no activity {name}", name=link.activity)
            yield diagnostic("unknown-activity", parameter.place, what)
            continue
        for name in link.parameters:
            if name not in known.known and name not in STYLE:
                what = _("{activity} does not read {name}", activity=link.activity, name=name)
                yield diagnostic("unknown-key", parameter.place, what)


def _answers(anomaly: Anomaly) -> Iterator[Diagnostic]:
    if anomaly.answer not in ("", DISMISS) and all(
        answer.name != anomaly.answer for answer in anomaly.answers
    ):
        what = _("The dialog has no button for the answer {answer}", answer=anomaly.answer)
        yield diagnostic("unheard-answer", anomaly.place, what)
    names = {DISMISS, *(answer.name for answer in anomaly.answers)}
    for unsafe in anomaly.unsafe:
        if unsafe not in names:
            what = _("The dialog has no button for the answer {answer}", answer=unsafe)
            yield diagnostic("unheard-answer", anomaly.place, what)
    logged = Counter(answer.event for answer in anomaly.answers if answer.event)
    for answer in anomaly.answers:
        if not answer.event:
            what = _("The button {button} logs no event", button=answer.button or answer.name)
            yield diagnostic("unheard-answer", answer.place, what, _("The press cannot be detected"))
        elif logged[answer.event] > 1:
            what = _("Two buttons log the event {event}", event=answer.event)
            yield diagnostic("unheard-answer", answer.place, what, _("The buttons cannot be told apart"))
    if anomaly.activity not in ACTIVITIES:
        return
    chained = _chained_events(anomaly)
    heard = {*STANDARD_ANSWERS, *(EVENT_PREFIX + event for event in (*logged, *chained))}
    for key in anomaly.events:
        if key not in heard:
            place = anomaly.event_places[key]
            what = _("No button logs {event}", event=key.removeprefix(EVENT_PREFIX))
            why, fixes = _("What follows it never runs"), did_you_mean(key, sorted(heard), place)
            yield diagnostic("unheard-answer", place, what, why, fixes=fixes)


def _chained_events(anomaly: Anomaly) -> set[str]:
    """The events that buttons of the chained dialogs log."""
    found = set()
    for link in read_chain(anomaly.value(CHAIN)) or ():
        for button in ACTIVITIES[link.activity].buttons if link.activity in ACTIVITIES else ():
            found.add(str(link.parameters.get(button.event, button.default)))
    return found


def _undo(anomaly: Anomaly) -> Iterator[Diagnostic]:
    if anomaly.undo:
        return
    for commands in anomaly.native:
        if commands.apply and not commands.undo:
            what = _("Nothing takes the change of {id} back", id=anomaly.id)
            yield diagnostic("no-undo", commands.apply[0].place, what)


def _packages(anomaly: Anomaly) -> Iterator[Diagnostic]:
    """An anomaly interrupts one app: of commands that name two apps, one names the wrong app."""
    first = ""
    for command in anomaly.commands:
        for name in filter(is_of_an_app, named_packages(command.text)):
            if first and name != first:
                what = _("The command names {name}, and the anomaly's others {package}",
                         name=name, package=first)  # fmt: skip
                yield diagnostic("other-package", command.place, what, _("One of them is the wrong app"))
            first = first or name


def _command(anomaly: Anomaly, command: ShellCommand) -> Iterator[Diagnostic]:
    if what := danger_of(command.text):
        what = _("The command {what}: {command}", what=what, command=command.text[:80])
        yield diagnostic("dangerous-command", command.place, what)
    for activity in _SHOWN.findall(command.text):
        if activity not in ACTIVITIES:
            what = _("The companion app has no activity {name}", name=activity)
            yield diagnostic("unknown-activity", command.place, what)
    if anomaly.kind != NATIVE:
        return
    known = {"package", *(parameter.name for parameter in anomaly.parameters)}
    known.update(name for commands in anomaly.native for name in commands.remember)
    for name in grammar.NAMED.findall(command.text):
        if name not in known:
            what = _("The command uses {name}, which is no parameter", name=f"{{{name}}}")
            yield diagnostic("missing-field", command.place, what)

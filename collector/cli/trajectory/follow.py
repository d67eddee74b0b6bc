"""``waymark trajectory show --follow``: print a trajectory while another program writes it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from collector.cli.output import say
from collector.cli.run.output import header_line
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.model.trajectory import Step
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line
from collector.store.trajectory.trajectory_tail import TailNews, TailState, TrajectoryTail

LOOK_EVERY_S = 0.2
_WIDEST = 400


def follow(place: Path, *, as_json: bool) -> None:
    """Print what is there, then each new step and event, until the trajectory ends.

    With ``as_json`` each is a JSON document on a line of its own.
    """
    tail = TrajectoryTail(place)
    printed = _print_as_json if as_json else _print
    while True:
        news = tail.poll()
        if not news.is_empty:
            printed(news)
        if news.state is not TailState.WRITING:
            _print_end(news.state, as_json=as_json)
            return
        time.sleep(LOOK_EVERY_S)


def _print(news: TailNews) -> None:
    if news.header is not None:
        say(header_line(news.header))
    if news.is_rewritten:
        say(_("Steps were changed; these are all of them now:"))
    lines = [(step.t_ms, step_line(step)) for step in news.steps]
    lines += [(_time_of(event), event_line(event)) for event in news.events]
    for _t_ms, line in sorted(lines, key=lambda entry: entry[0]):
        say(line)
    for problem in news.problems:
        say(problem)


def step_line(step: Step) -> str:
    """One step: its number, time and caption; the last state has none."""
    words = step.description or (step.action.kind if step.action is not None else _("final state"))
    return f"{step.index + 1:>4}  {step.t_ms / 1000:>7.1f} s  {one_line(words, _WIDEST)}"


def event_line(event: Line) -> str:
    """One event: its time, its kind, and what else its line says."""
    known = ("kind", "t_ms", "wall_time", "step")
    rest = (f"{key}={value}" for key, value in event.items() if key not in known and value not in ("", None))
    words = " ".join((str(event.get("kind", "")), *rest))
    return f"   -  {_time_of(event) / 1000:>7.1f} s  {one_line(words, _WIDEST)}"


def _time_of(event: Line) -> int:
    t_ms = event.get("t_ms")
    return codec.moment_ms(t_ms) if isinstance(t_ms, int) else 0


def _print_as_json(news: TailNews) -> None:
    if news.header is not None:
        _print_line({"header": codec.header_to_document(news.header)})
    if news.is_rewritten:
        _print_line({"rewritten": True})
    for step in news.steps:
        _print_line({"step": codec.step_to_line(step)})
    for event in news.events:
        _print_line({"event": event})
    for problem in news.problems:
        _print_line({"problem": problem})


def _print_end(state: TailState, *, as_json: bool) -> None:
    if as_json:
        _print_line({"end": state.value})
        return
    sentences = {
        TailState.ENDED: _("The trajectory is complete"),
        TailState.ABANDONED: _("The program that wrote it ended without finishing it"),
        TailState.GONE: _("The trajectory was moved or deleted"),
    }
    say(sentences[state])


def _print_line(document: object) -> None:
    click.echo(json.dumps(document))

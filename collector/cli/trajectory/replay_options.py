"""Options of the verbs that replay trajectories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from collector.cli.shared_options import PAUSE_HELP
from collector.cli.step_numbers import StepNumber
from collector.model.i18n import _
from collector.model.text.step_place import step_index
from collector.replay.replay_options import PATIENCE_S, ReplayOptions
from collector.replay.replay_part import ReplayPart
from collector.replay.timing import ReplayTiming, TimingKind

_PAUSE_S = 1.0


def replay_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--wait``, ``--fresh`` and ``--text``, which :func:`options_of` reads."""
    return _wait_options(
        click.option(
            "--text", "texts", metavar="STEP=TEXT", multiple=True,
            help="Text for a step, from 1, whose text was redacted; repeatable.",
        )(command)
    )  # fmt: skip


def solvability_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a replay of many tasks; :func:`texts_by_task` splits their texts."""
    return _wait_options(
        click.option(
            "--text", "texts", metavar="[TASK:]STEP=TEXT", multiple=True,
            help="Text for a step, from 1, whose text was redacted, in one task or in all; repeatable.",
        )(command)
    )  # fmt: skip


def no_record_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--no-record``: the replays leave no runs in the project."""
    text = "Leave no run of a replay in the project; each takes the disk space of a recording."
    return click.option("--no-record", "no_record", is_flag=True, help=text)(command)


def _wait_options(command: Callable[..., Any]) -> Callable[..., Any]:
    wait = click.option(
        "--wait", type=click.FloatRange(0), default=PATIENCE_S, show_default=True, metavar="SECONDS",
        help="Seconds to wait for the screen of each step.",
    )  # fmt: skip
    fresh = click.option(
        "--fresh", is_flag=True, help="Delete all data of the task's app before each replay (pm clear)."
    )
    return wait(fresh(command))


def part_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--step`` and ``--from``, which :func:`part_of` reads."""
    only = click.option("--step", "only", type=StepNumber(), help="Replay only this step, from 1.")
    first = click.option("--from", "first", type=StepNumber(), help="Replay from this step on, from 1.")
    return only(first(command))


def part_of(only: int | None, first: int | None) -> ReplayPart:
    """Read ``--step`` and ``--from``. Raises click.UsageError for both."""
    if only is not None and first is not None:
        raise click.UsageError(_("--step and --from exclude each other"))
    return ReplayPart(first or 0) if only is None else ReplayPart(only, only)


def timing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--timing`` and ``--pause``, which :func:`timing_of` reads."""
    timing = click.option(
        "--timing", type=click.Choice([TimingKind.RECORDED.value, TimingKind.FIXED.value]),
        help="Wait between actions as recorded, or always as long; by default only for the screen.",
    )  # fmt: skip
    pause = click.option(
        "--pause", "pause_s", type=click.FloatRange(0), metavar="SECONDS",
        show_default=f"{_PAUSE_S:g}", help=PAUSE_HELP,
    )  # fmt: skip
    return timing(pause(command))


def timing_of(timing: str | None, pause_s: float | None) -> ReplayTiming:
    """Read ``--timing`` and ``--pause``. Raises click.UsageError for a pause without a fixed timing."""
    kind = TimingKind(timing) if timing is not None else TimingKind.NONE
    if pause_s is not None and kind is not TimingKind.FIXED:
        raise click.UsageError(_("--pause belongs to --timing fixed"))
    return ReplayTiming(kind, _PAUSE_S if pause_s is None else pause_s)


def options_of(wait: float, fresh: bool, texts: tuple[str, ...]) -> ReplayOptions:
    """Read the three options. Raises click.BadParameter."""
    return ReplayOptions(fresh=fresh, patience_s=wait, texts=_texts(texts))


def texts_by_task(texts: Sequence[str]) -> tuple[tuple[str, ...], dict[str, dict[int, str]]]:
    """Split the texts into those for every task and those for one task. Raises click.BadParameter."""
    common: list[str] = []
    by_task: dict[str, dict[int, str]] = {}
    for option in texts:
        key, equals, text = option.partition("=")
        task, colon, number = key.rpartition(":")
        if colon:
            by_task.setdefault(task, {}).update(_texts((f"{number}{equals}{text}",)))
        else:
            common.append(option)
    return tuple(common), by_task


def _texts(given: tuple[str, ...]) -> dict[int, str]:
    texts = {}
    for option in given:
        number, equals, text = option.partition("=")
        index = step_index(number)
        if index is None or not equals:
            raise click.BadParameter(
                _("write it as STEP=TEXT, with the number of a step from 1"), param_hint="--text"
            )
        texts[index] = text
    return texts

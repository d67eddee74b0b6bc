"""``waymark trajectory redact``: black out regions of a recorded step for good."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import confirmation_option, in_project
from collector.cli.step_numbers import FROM_0, StepNumber, step_numbers
from collector.cli.trajectory.reference import find_to_change
from collector.cli.verb_groups import trajectory
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.message import in_language
from collector.store.redaction.step_redaction import StepRedaction
from collector.store.trajectory import codec


class _Region(click.ParamType[Rect]):
    """``LEFT,TOP,RIGHT,BOTTOM`` in device pixels."""

    name = "region"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rect:
        if isinstance(value, Rect):
            return value
        parts = re.fullmatch(r"(\d+),(\d+),(\d+),(\d+)", value)
        if parts is None or (region := Rect(*map(int, parts.groups()))).is_empty:
            self.fail(_("{value!r} is not LEFT,TOP,RIGHT,BOTTOM in pixels", value=value), param, ctx)
        return region


@trajectory.command()
@click.argument("reference")
@click.argument("step", type=StepNumber())
@click.option(
    "--region", "regions", type=_Region(), multiple=True, help="LEFT,TOP,RIGHT,BOTTOM to black out."
)
@confirmation_option("What is redacted is gone for good, with the undo of earlier edits. Go on?")
@in_project
@json_option
def redact(reference: str, step: int, regions: tuple[Rect, ...], folder: Path, as_json: bool) -> None:
    """Remove password fields, typed text and regions from a stored step, for good.

    STEP counts from 1, as `show` prints it. What an agent said in it goes too, and the removed texts are
    masked in the whole trajectory. Other steps that show the same are redacted with it.
    """
    redaction = StepRedaction(find_to_change(reference, folder), step, regions)
    others = redaction.others
    done = redaction.apply()[step]
    if as_json:
        print_json({**FROM_0, "step": codec.step_to_line(done), "others": list(others)})
        return
    say(_("Step {index} is redacted", index=step + 1))
    if not (done.state.screenshot and done.state.tree) and done.state.problem:
        say(in_language(done.state.problem))
    if others:
        numbers = step_numbers(others)
        say(
            ngettext(
                "Step {numbers} shows the same and is redacted too",
                "Steps {numbers} show the same and are redacted too", len(others), numbers=numbers,
            )
        )  # fmt: skip

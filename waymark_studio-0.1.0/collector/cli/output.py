"""Print the output of a verb: text and tables for people, or one JSON document with ``--json``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from collector.model.errors import UserError
from collector.model.one_line import is_control, one_line, without_controls

_LONGEST = 60


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the ``--json`` flag to a verb."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def print_json(document: object) -> None:
    """Print one JSON document; characters are escaped only if the console lacks them or would obey them."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    if not text.replace("\n", "").isprintable():
        text = "".join(json.dumps(each)[1:-1] if each != "\n" and is_control(each) else each for each in text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    click.echo(text)


def error_json(error: UserError) -> dict[str, dict[str, str]]:
    """An error for scripts."""
    return {"error": {"what": error.what, "why": error.why, "to_do": error.to_do}}


def say(text: str, *, err: bool = False) -> None:
    """Print text for people, without control characters: files of others must not control the terminal."""
    click.echo(without_controls(text), err=err)


def print_table(
    header: Sequence[str], rows: Sequence[Sequence[object]], *, first: int = _LONGEST, last: int = _LONGEST,
    wide: int = 1,
) -> None:  # fmt: skip
    """Print columns under a header, as wide as their contents on a terminal, and never wrapped.

    A cell is cut at 60 characters, in the first column at ``first``, in the last ``wide`` ones at ``last``.
    """
    # rich's Table takes a millisecond for each row, so a list of thousands uses its cells alone.
    from rich.cells import cell_len, set_cell_size

    texts = [list(header)]
    for row in rows:
        widest = [_LONGEST] * len(row)
        widest[-wide:] = [last] * wide
        widest[0] = max(widest[0], first)
        texts.append([one_line(cell, longest) for cell, longest in zip(row, widest, strict=True)])
    widths = [max(map(cell_len, column)) for column in zip(*texts, strict=True)]
    for line in texts:
        click.echo("  ".join(map(set_cell_size, line, widths)).rstrip())

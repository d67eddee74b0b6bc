"""How verbs of the command print: a table for people, or one JSON document with ``--json``."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

import click


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The ``--json`` flag every verb that tells something has."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def print_json(document: object) -> None:
    """One JSON document on standard output, characters as they are."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Columns under a header, as wide as their contents; wide characters count as two."""
    texts = [list(header), *([one_line(cell) for cell in row] for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        cells = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def one_line(value: object, longest: int = 60) -> str:
    """``value`` on one line without control characters, cut with an ellipsis."""
    text = " ".join(str(value).split())
    text = "".join(one for one in text if unicodedata.category(one)[0] != "C")
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)

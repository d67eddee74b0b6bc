"""Print the output of a verb: text and tables for people, or one JSON document with ``--json``."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from collector.model.errors import UserError
from collector.model.text.one_line import is_control, one_line, without_controls

_LONGEST = 60


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the ``--json`` flag to a verb."""
    help_text = "Print one JSON document."
    return click.option("--json", "as_json", cls=_JsonOption, is_flag=True, help=help_text)(command)


class _JsonOption(click.Option):
    """An option whose help also says the keys of the document that the verb prints."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from collector.cli.json_keys import keys_of

        record = super().get_help_record(ctx)
        keys = keys_of(ctx.command_path.partition(" ")[2]).replace("`", "")
        return (record[0], f"{record[1]} Its keys: {keys}.") if record and keys else record


def print_json(document: object) -> None:
    """Print one JSON document; characters are escaped only if the console lacks them or would obey them."""
    click.echo(_json_text(document))


def print_json_in_parts(document: Mapping[str, object]) -> None:
    """Print one JSON document; an iterator among its values is printed as a list, item by item."""
    lead = "{\n"
    for name, value in document.items():
        click.echo(f"{lead}  {_json_text(name)}: ", nl=False)
        if isinstance(value, Iterator):
            _print_items(value)
        else:
            click.echo(_indented(value, "  "), nl=False)
        lead = ",\n"
    click.echo("\n}")


def _print_items(items: Iterator[object]) -> None:
    lead = "["
    for item in items:
        click.echo(f"{lead}\n    {_indented(item, '    ')}", nl=False)
        lead = ","
    click.echo("[]" if lead == "[" else "\n  ]", nl=False)


def _indented(value: object, indent: str) -> str:
    return _json_text(value).replace("\n", f"\n{indent}")  # a text in it has no line ends


def _json_text(document: object) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=2, default=_plain)
    if not text.replace("\n", "").isprintable():
        text = "".join(json.dumps(each)[1:-1] if each != "\n" and is_control(each) else each for each in text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(document, indent=2, default=_plain)
    return text


def _plain(value: object) -> str:
    """A date of a YAML file as text."""
    if isinstance(value, dt.date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no value of JSON")


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
    print_table_in_parts(header, lambda: rows, first=first, last=last, wide=wide)


def print_table_in_parts(
    header: Sequence[str], rows: Callable[[], Iterable[Sequence[object]]], *, first: int = _LONGEST,
    last: int = _LONGEST, wide: int = 1,
) -> None:  # fmt: skip
    """Print a table as :func:`print_table` does; ``rows`` is called twice, and no row is kept."""
    # rich's Table takes a millisecond for each row, so a list of thousands uses its cells alone.
    from rich.cells import cell_len, set_cell_size

    def lines() -> Iterator[list[str]]:
        yield list(header)
        for row in rows():
            widest = [_LONGEST] * len(row)
            widest[-wide:] = [last] * wide
            widest[0] = max(widest[0], first)
            yield [one_line(cell, longest) for cell, longest in zip(row, widest, strict=True)]

    widths = [0] * len(header)
    for line in lines():
        widths = [max(width, cell_len(cell)) for width, cell in zip(widths, line, strict=True)]
    for line in lines():
        click.echo("  ".join(map(set_cell_size, line, widths)).rstrip())

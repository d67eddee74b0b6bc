"""The command line as Markdown: shared options once, then each verb with what is its own."""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict

import click
import tables

SHARED_BY = 2
"""How many verbs an option has to have, with the same meaning, to be in the table of shared options."""

WRONG_USAGE = ", 2 wrong usage"
"""What the page says once, of all verbs."""

Record = tuple[str, str]
"""An option as ``--help`` shows it: names with the kind of value, and meaning with the default."""


def shared_options() -> str:
    """One row per option that several verbs take in the same meaning."""
    return tables.table(
        ("Option", "What it means"),
        ((f"`{names}`", meaning) for names, meaning in sorted(_shared().values(), key=_by_name)),
    )


def verbs() -> str:
    """One section per command: what it does, its arguments, its own options, and the names of shared ones."""
    return "\n\n".join(_section(path, command) for path, command in tables.verbs())


@functools.cache
def _shared() -> dict[str, Record]:
    """The most usual meaning of each option, by its long name, where enough verbs have it."""
    meanings: defaultdict[str, Counter[Record]] = defaultdict(Counter)
    for _path, command in tables.verbs():
        for name, record in _records(command):
            meanings[name][record] += 1
    usual = {name: counter.most_common(1)[0] for name, counter in meanings.items()}
    return {name: record for name, (record, times) in usual.items() if times >= SHARED_BY}


def _records(command: click.Command) -> list[tuple[str, Record]]:
    """The options; without the verb's name that of ``--json`` leaves its keys out, which another page has."""
    context = click.Context(command)
    options = [each for each in command.params if isinstance(each, click.Option)]
    found = ((option.opts[-1], option.get_help_record(context)) for option in options)
    return [(name, (_plain(record[0]), " ".join(record[1].split()))) for name, record in found if record]


def _plain(names: str) -> str:
    """The names of an option, with the kind of its value in the word of a person."""
    return re.sub(r"\bFLOAT( RANGE)?$", "NUMBER", re.sub(r"\bINTEGER( RANGE)?$", "N", names))


def _section(path: str, command: click.Command) -> str:
    parts = [f"{'#' * min(4, 2 + path.count(' '))} {path}", _prose(command.help)]
    own, names = [], []
    for name, record in _records(command):
        if _shared().get(name) == record:
            names.append(f"`{name}`")
        else:
            own.append(f"- `{record[0]}`: {record[1]}")
    words = [*_arguments(path, command), *names]
    return "\n\n".join(part for part in (*parts, " ".join(words), "\n".join(own)) if part)


def _arguments(path: str, command: click.Command) -> list[str]:
    """The arguments as the usage shows them, in one piece of code."""
    context = click.Context(command, info_name=path)
    arguments = [each.make_metavar(context) for each in command.params if isinstance(each, click.Argument)]
    return [f"`{' '.join(arguments)}`"] if arguments else []


def _prose(text: str | None) -> str:
    """A docstring as Markdown, its forced line breaks kept."""
    paragraphs = (text or "").replace("\b\n", "").split("\n\n")
    prose = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    return prose.replace(WRONG_USAGE, "")


def _by_name(record: Record) -> str:
    return record[0].rpartition("--")[2]

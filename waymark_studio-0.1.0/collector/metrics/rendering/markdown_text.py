"""Reports as tables of GitHub's Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collector.metrics.rendering.columns import column_title, sentences
from collector.metrics.rendering.number_text import cell_text
from collector.metrics.rendering.plain_text import plain
from collector.metrics.report import ReportTable
from collector.metrics.value_text import row_labels

_MARKS = re.compile(r"[\\`*_{}\[\]<>#|~$&]|(?<=http)s?:(?=/)|(?<=ftp):(?=/)|(?<=www)\.", re.IGNORECASE)
_LIST = re.compile(r"^[-+=]|(?<=^\d)[.)]")
"""What would begin a list or a heading at the start of a line."""


def as_markdown(tables: Sequence[ReportTable], *, with_intervals: bool = True) -> str:
    """Tables with their titles above and their sentences below."""
    return "\n".join("\n".join(_lines(table, with_intervals)) + "\n" for table in tables)


def markdown_escaped(text: str) -> str:
    """``text`` on one line, so that nothing in it is taken for Markdown, HTML or an address."""
    return _MARKS.sub(lambda mark: mark[0].replace(mark[0][-1], "\\" + mark[0][-1]), plain(text))


def _lines(table: ReportTable, with_intervals: bool) -> Iterator[str]:
    if table.title:
        yield f"**{markdown_escaped(table.title)}**"
        yield ""
    groups = [f"{column.group}: " if column.group else "" for column in table.columns]
    titles = [group + column_title(column) for group, column in zip(groups, table.columns, strict=True)]
    yield _row([*table.label_titles, *titles])
    yield "|" + " --- |" * len(table.label_titles) + " ---: |" * len(table.columns)
    for row in table.rows:
        numbers = (
            cell_text(cell, column.unit, with_intervals=with_intervals)
            for cell, column in zip(row.cells, table.columns, strict=True)
        )
        yield _row([*row_labels(table, row), *numbers])
    for sentence in sentences(table):
        yield ""
        yield _LIST.sub(r"\\\g<0>", markdown_escaped(sentence))


def _row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(map(markdown_escaped, texts)) + " |"

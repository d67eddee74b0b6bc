"""Markdown shows every name as it is, in its own cell, whatever marks are in it."""

from __future__ import annotations

import re
from html import unescape

from markdown_it import MarkdownIt

from collector.metrics.rendering.markdown_text import as_markdown
from collector.metrics.rendering.plain_text import label_text
from tests.collector.metrics.rendering.hostile import NAMES, hostile_report


def test_each_name_is_shown_in_its_cell_and_is_no_mark() -> None:
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(as_markdown([hostile_report()]))
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)]
    shown = [[unescape(cell) for cell in row] for row in rows if row]
    assert {len(row) for row in shown} == {4}
    assert sorted(row[0] for row in shown) == sorted(map(label_text, NAMES))
    # Without a condition an episode is a baseline, which the window says in the same word.
    assert all(row[1] == (row[0] if row[0] != "(none)" else "baseline") for row in shown)
    tags = set(re.findall(r"<(\w+)", html))
    assert tags == {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert "SR: Successful episodes divided by" in html

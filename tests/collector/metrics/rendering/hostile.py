"""Names that try to become formulas, commands and marks, and a report full of them."""

from __future__ import annotations

from dataclasses import replace

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.metrics.report import ReportTable, report_of
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

NAMES = (
    "=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "  =1", "\t=1", "\r\n=1+1", "\ufeff=1", "\u200b=1",
    "＝1+1", "−1", "a;=1+1", 'a",=1+1', 'a";"=1', "a\t=1", "a|=1", "'=1", '"=1"',
    r"\input{/etc/passwd}", r"\\", "[x]", "*", "a & b", "100 %", "$x^2_i$", "#1", "~", "--", "''", "?`!`",
    "}{", r"\end{tabular}", "%", "a\\", "`rm`", "<script>", "|", r"\|", "[a](http://b)", "**b**",
    "![i](javascript:x)", "&amp;", "www.a.b", "中文；=1", "日本語", "한국어", "😀", "é Č ß ø", "\ud800",
    "\x00\x1b[31m", "\u202eabc", "a\u2028b", "ÿ Đ ą", "", "x" * 300,
)  # fmt: skip


def hostile_report(names: tuple[str, ...] = NAMES, title: str = r"Table \& 中 = $1$") -> ReportTable:
    """A row for each name, which is the agent's and the condition's."""
    episodes = [
        EpisodeFacts("t", agent=name, condition=name, outcome="success", is_finished=1) for name in names
    ]
    by = [DIMENSIONS["agent"], DIMENSIONS["condition"]]
    result = pivot(columns_of_episodes(episodes), by, [MEASURES["sr"], MEASURES["early-stop"]])
    return replace(report_of(result), title=title)

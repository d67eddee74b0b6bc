"""A3's table of success and essential states, by level and category of the task."""

from __future__ import annotations

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, Mask
from collector.metrics.measure import Measure
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.measures.states import ESSENTIAL_STATES
from collector.metrics.papers.paper_table import (
    PaperColumn,
    agent_dimensions,
    by_measure,
    labels_of,
    paper_table,
    where_several,
)
from collector.metrics.report import ReportTable
from collector.model.i18n import N_, _
from collector.model.task import INFORMATION_RETRIEVAL, OPERATION

_TITLES = {
    "easy": N_("Easy"), "medium": N_("Medium"), "hard": N_("Hard"),
    OPERATION: N_("Operation"), INFORMATION_RETRIEVAL: N_("Inf. Query"),
    "overall": N_("Overall"),
}  # fmt: skip


def a3_tables(table: EpisodeColumns) -> tuple[ReportTable, ...]:
    """A3's Table 3: SR and ESAR of each agent, in two rows."""
    masks = _columns(table)
    parts = {_("SR"): SUCCESS_RATE, _("ESAR"): ESSENTIAL_STATES}
    filled = {name: _of_measure(table, measure, masks) for name, measure in parts.items()}
    return (by_measure(filled, _("Metric")),)


def _columns(table: EpisodeColumns) -> dict[str, Mask]:
    """The episodes of each column: of the levels, the categories with AITK's two first, and all."""
    categories = labels_of(table, DIMENSIONS["category"])
    order = [name for name in (OPERATION, INFORMATION_RETRIEVAL) if name in categories]
    order += [name for name in categories if name not in order]
    parts = {**labels_of(table, DIMENSIONS["level"]), **{name: categories[name] for name in order}}
    return {**parts, "overall": table.selected}


def _of_measure(table: EpisodeColumns, measure: Measure, masks: dict[str, Mask]) -> ReportTable:
    columns = tuple(
        PaperColumn(name, _(_TITLES.get(name, name)), measure, among) for name, among in masks.items()
    )
    rows = (*agent_dimensions(table), *where_several(table, "condition", "modality", "variation"))
    return paper_table(table, "a3-3", _("Table 3. Success and essential states"), rows, columns)

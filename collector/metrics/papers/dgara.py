"""The tables of D-GARA: success without and with an anomaly, by buttons, modality and anomaly category."""

from __future__ import annotations

from collector.metrics.anomaly_answers import anomaly_answers
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measures.robustness import (
    MET_RATE,
    ROBUST_MET,
    ROBUST_SUCCESS,
    SR_MET,
    SR_WITH,
    SR_WITHOUT,
)
from collector.metrics.papers.paper_table import (
    PaperColumn,
    agent_dimensions,
    labels_of,
    paper_table,
    where_several,
    with_columns,
)
from collector.metrics.report import ReportTable
from collector.model.i18n import N_, _

_SHARED = ("modality", "variation", "language")
"""What rows tell apart where episodes differ in it."""
_BUTTONS = {2: N_("Dual-button"), 1: N_("Single-button")}


def dgara_tables(table: EpisodeColumns) -> tuple[ReportTable, ...]:
    """D-GARA's Tables 1, 2 and 3 and its Figure 3, each as published and met only, and the answers given."""
    answers = anomaly_answers(table, agent_dimensions(table))
    tables = (_overall(table), _by_buttons(table), _by_modality(table), _by_category(table))
    return (*with_columns(tables), *[answers] * bool(answers.rows))


def _overall(table: EpisodeColumns) -> ReportTable:
    published = _("As published")
    columns = (
        PaperColumn("sr-none", _("SR (NoInt)"), SR_WITHOUT, group=published),
        PaperColumn("sr-anomaly", _("SR (WithInt)"), SR_WITH, group=published),
        PaperColumn("rsr", _("RSR"), ROBUST_SUCCESS, group=published),
        *_met_only(),
    )
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    title = _("Table 1. Success without and with an interruption")
    return paper_table(table, "dgara-1", title, rows, columns)


def _met_only() -> tuple[PaperColumn, ...]:
    group = _("Met only")
    return (
        PaperColumn("met", _("Met"), MET_RATE, group=group),
        PaperColumn("sr-met", _("SR (WithInt)"), SR_MET, group=group),
        PaperColumn("rsr-met", _("RSR"), ROBUST_MET, group=group),
    )


def _by_buttons(table: EpisodeColumns) -> ReportTable:
    published, met_only = _("As published"), _("Met only")
    parts = (
        ("rsr", N_("{mode} RSR"), ROBUST_SUCCESS, published),
        ("met", N_("{mode} met"), MET_RATE, met_only),
        ("rsr-met", N_("{mode} RSR"), ROBUST_MET, met_only),
    )
    modes = [(buttons, mode, table.column("buttons") == buttons) for buttons, mode in _BUTTONS.items()]
    columns = tuple(
        PaperColumn(f"{name}-{buttons}", _(title, mode=_(mode)), measure, among, group)
        for name, title, measure, group in parts
        for buttons, mode, among in modes
    )
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    return paper_table(table, "dgara-2", _("Table 2. RSR by the buttons of the dialog"), rows, columns)


def _by_modality(table: EpisodeColumns) -> ReportTable:
    published = _("As published")
    columns = (
        PaperColumn("sr-none", _("SR (NoInt)"), SR_WITHOUT, group=published),
        PaperColumn("sr-anomaly", _("SR (WithInt)"), SR_WITH, group=published),
        *_met_only(),
    )
    rows = (*agent_dimensions(table), DIMENSIONS["modality"], *where_several(table, "variation", "language"))
    return paper_table(table, "dgara-3", _("Table 3. Success by modality"), rows, columns)


def _by_category(table: EpisodeColumns) -> ReportTable:
    categories = labels_of(table, DIMENSIONS["anomaly-category"])
    parts = (
        ("rsr", ROBUST_SUCCESS, _("RSR")),
        ("rsr-met", ROBUST_MET, _("RSR, met only")),
        ("met", MET_RATE, _("Met")),
    )
    columns = tuple(
        PaperColumn(f"{name}-{category}", category, measure, among, group)
        for name, measure, group in parts
        for category, among in categories.items()
    )
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    return paper_table(table, "dgara-figure-3", _("Figure 3. RSR by anomaly category"), rows, columns)

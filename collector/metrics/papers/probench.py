"""The tables of ProBench: success by language, type and app category, uncompleted and early-stopped."""

from __future__ import annotations

import numpy as np

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, Mask
from collector.metrics.measures.outcomes import (
    EARLY_STOP,
    FAILURE_RATE,
    SUCCESS_RATE,
    UNCOMPLETED,
    UNCOMPLETED_RATE,
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
from collector.model.task import PROCESS_TASK, STATE_TASK

_LANGUAGES = {"en": N_("English"), "zh": N_("Chinese"), "overall": N_("Overall")}
_SHARED = ("condition", "modality", "variation")


def probench_tables(table: EpisodeColumns) -> tuple[ReportTable, ...]:
    """ProBench's Tables 3 and 4 and its Figure 5, and the three outcomes as shares of all episodes."""
    return with_columns((_success(table), _uncompleted(table), _by_app_category(table)))


def _success(table: EpisodeColumns) -> ReportTable:
    types = labels_of(table, DIMENSIONS["type"])
    columns = []
    nothing = np.zeros(len(table), bool)
    for code, among in {**_languages(table), "overall": table.selected}.items():
        group = _(_LANGUAGES[code]) if code in _LANGUAGES else code
        columns += [
            PaperColumn(f"{code}-st", _("ST"), SUCCESS_RATE, among & types.get(STATE_TASK, nothing), group),
            PaperColumn(f"{code}-pt", _("PT"), SUCCESS_RATE, among & types.get(PROCESS_TASK, nothing), group),
            PaperColumn(f"{code}-all", _("Avg."), SUCCESS_RATE, among, group),
        ]
    title = _("Table 3. Success of state-related (ST) and process-related (PT) tasks")
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    return paper_table(table, "probench-3", title, rows, tuple(columns))


def _languages(table: EpisodeColumns) -> dict[str, Mask]:
    """Language -> episodes of its tasks, English and Chinese first."""
    by_code: dict[str, Mask] = {}
    for label, among in labels_of(table, DIMENSIONS["task-language"]).items():
        code = label.replace("_", "-").partition("-")[0].lower()
        by_code[code] = by_code[code] | among if code in by_code else among
    order = [*(code for code in _LANGUAGES if code in by_code), *sorted(set(by_code) - set(_LANGUAGES))]
    return {code: by_code[code] for code in order}


def _uncompleted(table: EpisodeColumns) -> ReportTable:
    failed, everything = _("Of the failed"), _("Of all")
    columns = (
        PaperColumn("uncompleted", _("Uncompleted"), UNCOMPLETED, group=failed),
        PaperColumn("early-stop", _("Early Stop"), EARLY_STOP, group=_("Of the uncompleted")),
        PaperColumn("success", _("Success"), SUCCESS_RATE, group=everything),
        PaperColumn("failure", _("Failure"), FAILURE_RATE, group=everything),
        PaperColumn("uncompleted-rate", _("Uncompleted"), UNCOMPLETED_RATE, group=everything),
    )
    title = _("Table 4. Uncompleted episodes among the failed, early-stopped among the uncompleted")
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    return paper_table(table, "probench-4", title, rows, columns)


def _by_app_category(table: EpisodeColumns) -> ReportTable:
    columns = tuple(
        PaperColumn(category, category, SUCCESS_RATE, among)
        for category, among in labels_of(table, DIMENSIONS["app-category"]).items()
    )
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    return paper_table(table, "probench-figure-5", _("Figure 5. Success by app category"), rows, columns)

"""What OpenApps reports: success by variation of the app, its spread, and how behaviour changes with it."""

from __future__ import annotations

from collector.metrics.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measures.behaviour import BEHAVIOUR
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.measures.variation import VARIATION
from collector.metrics.papers.paper_table import (
    PaperColumn,
    agent_dimensions,
    labels_of,
    paper_table,
    where_several,
)
from collector.metrics.report import ReportTable
from collector.model.i18n import _

_SHARED = ("condition", "modality", "language")
_BEHAVIOUR = ("loops", "loop-risk", "malformed", "hallucinated", "invalid", "wrong-app")


def openapps_tables(table: EpisodeColumns) -> tuple[ReportTable, ...]:
    """Reward by variation, its spread within and across variations, and behaviour by variation."""
    return (_rewards(table), _spread(table), _behaviour(table))


def _rewards(table: EpisodeColumns) -> ReportTable:
    variations = labels_of(table, DIMENSIONS["variation"], nameless=_("No variation"))
    columns = tuple(
        PaperColumn(f"sr-{name}", name, SUCCESS_RATE, among) for name, among in variations.items()
    )
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    columns = (*columns, PaperColumn("sr", _("Mean"), SUCCESS_RATE))
    return paper_table(table, "openapps-rewards", _("Success by variation"), rows, columns)


def _spread(table: EpisodeColumns) -> ReportTable:
    columns = (
        PaperColumn("sr", _("Mean"), SUCCESS_RATE),
        *(PaperColumn(measure.id, _(measure.title), measure) for measure in VARIATION),
    )
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    title = _("Spread of success within and across variations")
    return paper_table(table, "openapps-spread", title, rows, columns)


def _behaviour(table: EpisodeColumns) -> ReportTable:
    measures = [measure for measure in BEHAVIOUR if measure.id in _BEHAVIOUR]
    columns = tuple(PaperColumn(measure.id, _(measure.title), measure) for measure in measures)
    rows = (*agent_dimensions(table), DIMENSIONS["variation"], *where_several(table, *_SHARED))
    return paper_table(table, "openapps-behaviour", _("Behaviour by variation"), rows, columns)

"""What OpenApps reports: success by variation of the app, its spread, and how behaviour changes with it."""

from __future__ import annotations

from collector.metrics.breakdowns.dimensions import DIMENSIONS, Dimension
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measures.behaviour import BEHAVIOUR
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.measures.variation import VARIATION, VARIATION_RISK
from collector.metrics.papers.paper_table import (
    PaperColumn,
    agent_dimensions,
    labels_of,
    paper_table,
    where_several,
)
from collector.metrics.report import ReportTable
from collector.metrics.variation_tables import extremes_table, interaction_table
from collector.model.i18n import _

_SHARED = ("condition", "modality", "language", "goal-style")
_BEHAVIOUR = ("loops", "loop-risk", "malformed", "hallucinated", "invalid", "wrong-app", "variation-risk")

_OF_SEVERAL = ("openapps-extremes", "openapps-interactions")
"""Tables that are left out where too few variations were run."""


def openapps_tables(table: EpisodeColumns) -> tuple[ReportTable, ...]:
    """Reward by variation, its spread within and across variations, also by app and factor, the best and the
    worst variation, behaviour, and interactions of two variations."""
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    tables = (
        _rewards(table),
        _spread(table, "openapps-spread", _("Spread of success within and across variations")),
        _spread(table, "openapps-apps", _("Spread by app"), DIMENSIONS["app"]),
        _spread(table, "openapps-factors", _("Spread by factor"), DIMENSIONS["factor"]),
        extremes_table(table, rows),
        _behaviour(table, "openapps-behaviour", _("Behaviour by variation"), "variation"),
        _behaviour(table, "openapps-behaviour-apps", _("Behaviour by app"), "app"),
        _behaviour(table, "openapps-behaviour-factors", _("Behaviour by factor"), "factor"),
        interaction_table(table, rows),
    )
    return tuple(each for each in tables if each.rows or each.id not in _OF_SEVERAL)


def _rewards(table: EpisodeColumns) -> ReportTable:
    variations = labels_of(table, DIMENSIONS["variation"], nameless=_("No variation"))
    columns = tuple(
        PaperColumn(f"sr-{name}", name, SUCCESS_RATE, among) for name, among in variations.items()
    )
    rows = (*agent_dimensions(table), *where_several(table, *_SHARED))
    columns = (*columns, PaperColumn("sr", _("Mean"), SUCCESS_RATE))
    return paper_table(table, "openapps-rewards", _("Success by variation"), rows, columns)


def _spread(table: EpisodeColumns, name: str, title: str, *by: Dimension) -> ReportTable:
    columns = (
        PaperColumn("sr", _("Mean"), SUCCESS_RATE),
        *(PaperColumn(measure.id, _(measure.title), measure) for measure in VARIATION),
    )
    rows = (*agent_dimensions(table), *by, *where_several(table, *_SHARED))
    return paper_table(table, name, title, rows, columns)


def _behaviour(table: EpisodeColumns, name: str, title: str, by: str) -> ReportTable:
    measures = [measure for measure in (*BEHAVIOUR, VARIATION_RISK) if measure.id in _BEHAVIOUR]
    columns = tuple(PaperColumn(measure.id, _(measure.title), measure) for measure in measures)
    rows = (*agent_dimensions(table), DIMENSIONS[by], *where_several(table, *_SHARED))
    return paper_table(table, name, title, rows, columns)

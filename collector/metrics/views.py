"""A project's numbers as the tables of a view: those of a paper, and those about its judges."""

from __future__ import annotations

import contextlib

from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.judge_studies.studies import judge_tables
from collector.metrics.papers.registry import PAPERS
from collector.metrics.report import ReportTable
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

JUDGES = "judges"
"""The view of the studies of judges."""
VIEWS = (*PAPERS, JUDGES)
"""The ids that ``--view`` names."""
_WITH_JUDGES = ("a3", JUDGES)


def tables_of_view(
    view: str, project: Project, table: EpisodeColumns, catalogue: Catalogue | None = None
) -> tuple[ReportTable, ...]:
    """All tables of a view of the selected episodes of ``table``.

    Reads the catalogue, and the votes of the judges. Raises StoreError.
    """
    own = PAPERS[view](table) if view in PAPERS else ()
    if view not in _WITH_JUDGES:
        return own
    with contextlib.ExitStack() as opened:
        if catalogue is None:
            catalogue = opened.enter_context(Catalogue(project))
            catalogue.refresh()
        keys = table.keys[table.selected].tolist()
        return (*own, *judge_tables(project, catalogue, keys, is_narrowed=not table.selected.all()))

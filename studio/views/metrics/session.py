"""The session of the Metrics workspace: what is counted, how it is laid out, and which number is selected.

Panels read :attr:`MetricsSession.columns`, compute with :meth:`MetricsSession.compute`, and hand the episodes
behind a number to :meth:`MetricsSession.show_episodes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.judge_studies.partings import subject_folders, without_subjects
from collector.metrics.measure import Counting, Unit
from collector.metrics.measures.registry import measure_of
from collector.metrics.pivot import Pivot, pivot
from collector.metrics.report import CountedSubject, ReportTable, report_of
from collector.metrics.report_cell import ReportCell
from collector.metrics.usual_measures import USUAL_MEASURES, usual_measures
from collector.metrics.views import JUDGES, VIEWS, tables_of_view
from collector.review.hidden_trajectories import hidden_trajectories, unseen_trajectories
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.project.project import Project
from studio.bridge import JobRunner
from studio.bridge.metrics_numbers import EpisodeSelection, LoadedEpisodes, MetricsNumbers
from studio.bridge.project_library import ProjectLibrary
from studio.views.metrics.report_layout import content_of_pivot, content_of_report
from studio.widgets.number_table.content import TableContent

_T = TypeVar("_T")
FIRST_ROWS = ("agent", "anomaly-category")


@dataclass(frozen=True)
class TableLayout:
    """What the rows and the columns of the table are."""

    rows: tuple[str, ...] = FIRST_ROWS
    """Ids of dimensions."""
    measures: tuple[str, ...] = USUAL_MEASURES
    """Ids of measures; those that this version does not have are left out."""
    view: str = ""
    """Id of a view whose tables are shown in place of rows and columns; empty for none."""


@dataclass(frozen=True)
class MetricsSessionState:
    """What was chosen, for the session of the next window."""

    selection: EpisodeSelection
    layout: TableLayout


@dataclass(frozen=True)
class ShownNumber:
    """A number, of a table or a plot, whose episodes are on show."""

    title: str
    """Such as "SR 47.2 %"."""
    detail: str
    """What it is a number of, such as "UI-TARS 7B, resource"."""
    cell: ReportCell
    unit: Unit = Unit.PERCENT
    how: str = ""
    """How it is counted, in words."""
    counting: Counting = Counting.EPISODES
    row: Mapping[str, str] = field(default_factory=dict)
    """Dimension -> value of the row of a pivot."""
    subjects: tuple[CountedSubject, ...] = ()
    """Of a number about judges: the subjects of its row, which its cell counts in place of episodes."""


@dataclass(frozen=True)
class MetricsTable:
    """A table as it was computed: the report, how it is shown, and the pivot of one that is of no view."""

    report: ReportTable
    content: TableContent
    pivot: Pivot | None = None


def tables_of(
    table: EpisodeColumns, layout: TableLayout, project: Project, person: str,
    study: ReportTable | None = None,
) -> tuple[MetricsTable, ...]:  # fmt: skip
    """The tables of a layout as ``person`` may see them, ready to be shown. Any thread.

    ``study`` is one of windows, which stands before the other studies of judges.
    """
    if layout.view in VIEWS:
        reports = tables_of_view(layout.view, project, table)
        if study is not None and layout.view == JUDGES:
            reports = (study, *reports)
        reports = _without_hidden(reports, project, person)
        return tuple(MetricsTable(report, content_of_report(report)) for report in reports)
    rows = [DIMENSIONS[name] for name in layout.rows if name in DIMENSIONS]
    names = _shown_measures(table, layout)
    measures = [measure for name in names if (measure := measure_of(name)) is not None]
    result = pivot(table, rows, measures)
    report = report_of(result)
    return (MetricsTable(report, content_of_pivot(result, report), result),)


def _shown_measures(table: EpisodeColumns, layout: TableLayout) -> tuple[str, ...]:
    return usual_measures(table) if layout.measures == USUAL_MEASURES else layout.measures


def _without_hidden(
    reports: tuple[ReportTable, ...], project: Project, person: str
) -> tuple[ReportTable, ...]:
    """Name no trajectory of which something is hidden from a person."""
    folders = subject_folders(reports)
    hidden = hidden_trajectories(project, folders, person) | unseen_trajectories(project, folders, person)
    return without_subjects(reports, hidden)


class MetricsSession(QObject):
    """Holds what is chosen and what is known about it. Panels and controllers listen to its signals."""

    project_opened = Signal()
    """Another project is open, or none."""
    selection_changed = Signal()
    """Other episodes are to be counted; ``columns_changed`` follows when they are loaded."""
    columns_changed = Signal()
    """:attr:`columns` are others; None while there are none."""
    layout_changed = Signal()
    """The table is to have other rows or columns; ``table_changed`` follows."""
    table_changed = Signal()
    """:attr:`tables` are others."""
    number_changed = Signal()
    """:attr:`number` is another: its episodes are to be shown; None closes them."""
    row_changed = Signal()
    """Another row of the table is selected: :attr:`row_values`."""
    failed = Signal(object)
    """An exception for the person."""

    def __init__(
        self, project_library: ProjectLibrary, runner: JobRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.project_library = project_library
        self.numbers = MetricsNumbers(runner, self)
        self.selection = EpisodeSelection()
        self.layout = TableLayout()
        self.loaded: LoadedEpisodes | None = None
        """The episodes of the query, and everyone they can be judged by; None until they are loaded."""
        self.columns: EpisodeColumns | None = None
        """Those of them that have the kept values, as ``columns.selected`` says."""
        self.tables: tuple[MetricsTable, ...] = ()
        """What is on show: one pivot, or the tables of a paper."""
        self.is_counted = False
        """Whether :attr:`tables` are those of the selection and the layout."""
        self.seconds = 0.0
        """What the computation of the tables took."""
        self.number: ShownNumber | None = None
        self.study: ReportTable | None = None
        """The last study of windows of this project."""
        self.row_values: Mapping[str, str] = {}
        """Dimension -> value of the selected row; empty for none."""
        self._is_in_front = False
        self._is_stale = True
        """Whether the project changed since its episodes were asked for."""
        self._is_reloading = False
        """Whether :attr:`loaded` is older than the project: others were asked for."""
        self._is_selecting = False
        """Whether the episodes of the selection were asked for: tables until then are of others."""
        self.numbers.loaded.connect(self._loaded)
        self.numbers.failed.connect(self.failed)
        project_library.opened.connect(self._project_opened)
        project_library.changed.connect(self._project_changed)

    # -- what is known -------------------------------------------------------
    @property
    def folder(self) -> Path | None:
        """The folder of the project; None when no project is open."""
        return self.project_library.folder

    @property
    def measures(self) -> tuple[str, ...]:
        """Ids of the measures that are columns."""
        return self.layout.measures if self.columns is None else _shown_measures(self.columns, self.layout)

    def values_of(self, dimension: str) -> dict[str, int]:
        """Value of a dimension -> how many episodes of the query have it, whatever values are kept."""
        if self.loaded is None:
            return {}
        found = self.loaded.found
        labels, codes = DIMENSIONS[dimension].values(found)
        counts = np.bincount(codes[found.selected], minlength=len(labels)).tolist()
        return {label: count for label, count in zip(labels, counts, strict=True) if count}

    def compute(
        self, kind: str, work: Callable[[EpisodeColumns], _T], deliver: Callable[[_T], object]
    ) -> None:
        """Compute something of the selected episodes behind the window; the newest of a kind is delivered."""
        if self.columns is not None:
            self.numbers.compute(kind, self.columns, work, deliver)

    # -- opening -------------------------------------------------------------
    def start(self) -> None:
        """Follow the project that is open now; call it once all listeners are connected."""
        self._project_opened(self.project_library.snapshot)

    @Slot(object)
    def _project_opened(self, _snapshot: ProjectSnapshot | None) -> None:
        self.numbers.forget()
        self.selection = EpisodeSelection()
        self.loaded = self.columns = self.study = None
        self.tables, self.is_counted = (), False
        self._is_stale, self._is_reloading, self._is_selecting = True, False, False
        self.show_episodes(None)
        self.select_row({})
        self.project_opened.emit()
        self.selection_changed.emit()
        self.columns_changed.emit()
        self.table_changed.emit()
        self._load()

    @Slot(object)
    def _project_changed(self, _snapshot: ProjectSnapshot) -> None:
        self._is_stale = True
        self._load()

    def set_in_front(self, in_front: bool) -> None:
        """Follow the project while the workspace is looked at, and catch up when it comes to the front."""
        self._is_in_front = in_front
        self._load()

    def _load(self) -> None:
        """Load the episodes again, if the workspace is looked at and the project changed."""
        project = self.project_library.project
        if project is not None and self._is_in_front and self._is_stale:
            self._is_stale, self._is_reloading = False, True
            self.numbers.load(project, self.selection)

    @Slot(object)
    def _loaded(self, loaded: LoadedEpisodes) -> None:
        self._is_reloading = self._is_selecting = False
        self.loaded, self.columns = loaded, loaded.selected
        self.columns_changed.emit()
        self._compute_table()

    # -- choosing ------------------------------------------------------------
    def select(self, selection: EpisodeSelection) -> None:
        """Count other episodes, or by the verdicts of another judge."""
        before, self.selection = self.selection, selection
        project = self.project_library.project
        if selection == before or project is None:
            return
        same = (selection.query, selection.judge) == (before.query, before.judge)
        self.is_counted, self._is_selecting = False, True
        self.selection_changed.emit()
        self.numbers.load(project, selection, self.loaded if same and not self._is_reloading else None)

    def keep(self, dimension: str, values: Sequence[str] | None) -> None:
        """Count the episodes with these values of a dimension alone; None counts all."""
        kept = {name: known for name, known in self.selection.kept.items() if name != dimension}
        if values is not None:
            kept[dimension] = frozenset(values)
        self.select(replace(self.selection, kept=kept))

    def lay_out(self, layout: TableLayout) -> None:
        """Give the table other rows or columns."""
        if layout != self.layout:
            self.layout, self.is_counted = layout, False
            self.show_episodes(None)
            self.layout_changed.emit()
            self._compute_table()

    def add_study(self, study: ReportTable) -> None:
        """Show a study of windows among the studies of judges, in place of an earlier one."""
        self.study = study
        if self.layout.view == JUDGES:
            self.show_episodes(None)
            self._compute_table()

    def _compute_table(self) -> None:
        study, layout, self.is_counted = self.study, self.layout, False
        project, person = self.project_library.project, self.project_library.person
        if project is None:
            return

        def work(table: EpisodeColumns) -> tuple[float, tuple[MetricsTable, ...]]:
            started = perf_counter()
            tables = tables_of(table, layout, project, person, study)
            return perf_counter() - started, tables

        self.compute("table", work, self._computed)

    def _computed(self, computed: tuple[float, tuple[MetricsTable, ...]]) -> None:
        self.seconds, self.tables = computed
        self.is_counted = not self._is_selecting
        self.table_changed.emit()

    def select_row(self, values: Mapping[str, str]) -> None:
        """Say which row of the table is selected; the plots follow."""
        if dict(values) != dict(self.row_values):
            self.row_values = dict(values)
            self.row_changed.emit()

    def show_episodes(self, number: ShownNumber | None) -> None:
        """Show a number with exactly the episodes behind it; None closes them."""
        self.number = number
        self.number_changed.emit()

    # -- life ----------------------------------------------------------------
    def keep_state(self) -> MetricsSessionState:
        """What was chosen, for the session of the next window."""
        return MetricsSessionState(self.selection, self.layout)

    def take_state(self, state: MetricsSessionState) -> None:
        """Choose what the session of the last window had chosen."""
        self.lay_out(state.layout)
        self.select(state.selection)

    def close(self) -> None:
        """Let go of jobs."""
        self.numbers.forget()

"""A project of 10,000 runs: filtered in the catalogue; Project and Rules open it without opening a run."""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication

from collector.model.trajectory import RUN
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from studio.app.studio import Studio
from studio.settings import Settings
from tests.benchmarks.budgets.large import spent
from tests.benchmarks.budgets.table import Budget, Row
from tests.helpers.many_runs import add_runs
from tests.helpers.opened_files import opened_below
from tests.helpers.rule_room import make_project

RUNS = 10_000
_PAGE = 200
_QUERIES = (
    "agent:x outcome:failure anomaly:low_battery",
    "anomaly:no_network -outcome:success seed:>5000",
    "verdict:none kind:run agent:=y",
    "reached:cart",
)
_LONGEST_S = 120
_NOTHING = Budget("max", 0, unit="files")


def rows() -> Iterator[Row]:
    """The files of the runs lie on the disk; the catalogue has read them, as after any listing."""
    with tempfile.TemporaryDirectory() as name:
        project = make_project(Path(name) / "p")
        add_runs(project, RUNS, "buy")
        with Catalogue(project) as catalogue:
            catalogue.refresh()
            queries = itertools.cycle(_QUERIES)

            def page() -> None:
                query = next(queries)
                catalogue.count(query)
                catalogue.find(query, limit=_PAGE)

            page()
            samples = [spent(page) for _round in range(40)]
            note = f"count and first page, in turn: {', '.join(_QUERIES)}"
            yield Row(f"filter {RUNS:,} runs, CPU", samples, Budget("p95", 100), note=note)
        yield from _window(project, Path(name))


def _window(project: Project, folder: Path) -> Iterator[Row]:
    studio = Studio(Settings(folder / "settings.yaml"))
    studio.window.resize(1600, 1000)
    studio.show()
    library, of_runs = studio.project_library, f"{project.paths.trajectories_of('buy')}{os.sep}run-"
    with opened_below(of_runs) as opened:
        library.open(project.folder)
        _until(lambda: library.snapshot is not None and library.snapshot.counts.get(RUN) == RUNS)
        studio.window.show_workspace("project")
        cards = studio.window.workspace("project").recent.cards
        _until(cards.isVisible)
        cards.grab()  # paints the cards, which asks for their pictures
        yield Row(f"files of {RUNS:,} runs opened by Project", [len(opened)], _NOTHING, unit="files")
    with opened_below(of_runs) as opened:
        studio.window.show_workspace("rules")
        session = studio.window.workspace("rules").session
        _until(lambda: session.results and session.recorded is not None)
        yield Row(f"files of {RUNS:,} runs opened by Rules", [len(opened)], _NOTHING, unit="files")
    studio.window.close()
    studio.close()
    QApplication.processEvents()


def _until(condition: Callable[[], object]) -> None:
    until = time.monotonic() + _LONGEST_S
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError("the window did not open the project")
        QApplication.processEvents()
        time.sleep(0.001)

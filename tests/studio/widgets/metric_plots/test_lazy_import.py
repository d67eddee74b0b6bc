"""pyqtgraph takes half a second to import: nothing imports it with the window, and no job imports it."""

import sys
import threading
from pathlib import Path

import pytest

import studio
from collector.model.cancellation import Cancelled, cancellable
from studio.widgets.metric_plots import plot_import
from studio.widgets.metric_plots.plot_import import PLOTS, WITHOUT_QT, PlotImport

ROOT = Path(studio.__file__).parents[1]
PLOT = "studio/widgets/metric_plots/interval_plot.py"


def test_only_the_plot_imports_pyqtgraph_and_nothing_imports_the_plot_with_itself():
    importers, of_plot = [], []
    for package in ("collector", "rule_editor", "studio"):
        for path in (ROOT / package).rglob("*.py"):
            lines = [
                line for line in path.read_text("utf-8").splitlines() if line.startswith(("import ", "from "))
            ]
            name = path.relative_to(ROOT).as_posix()
            importers += [name] * any("pyqtgraph" in line for line in lines)
            of_plot += [name] * any("interval_plot" in line for line in lines)
    assert importers == [PLOT]
    assert of_plot == []


@pytest.fixture
def imported(monkeypatch):
    """Which modules are imported for the first plot, and whether that is on the GUI thread."""
    seen, modules, gui = [], dict(sys.modules), threading.get_ident()
    modules.pop(PLOTS, None)

    class Modules:
        modules = None

    Modules.modules = modules
    monkeypatch.setattr(plot_import, "sys", Modules)
    monkeypatch.setattr(
        plot_import, "import_module", lambda name: seen.append((name, threading.get_ident() == gui))
    )
    return seen


def test_what_makes_types_of_qt_is_imported_on_the_gui_thread(qapp, qtbot, imported):
    """A window ended with a segmentation fault when a job imported it."""
    imports = PlotImport()
    job = threading.Thread(target=imports.wait)
    job.start()
    qtbot.waitUntil(lambda: not job.is_alive())
    assert imported == [*((name, False) for name in WITHOUT_QT), (PLOTS, True)]


def test_a_job_that_is_cancelled_does_not_wait_for_the_gui_thread(qapp, imported):
    """The window waits for its jobs when it closes, and runs no turn then."""
    imports, ended = PlotImport(), []

    def work():
        with cancellable(lambda: len(imported) == len(WITHOUT_QT)):
            try:
                imports.wait()
            except Cancelled:
                ended.append(True)

    job = threading.Thread(target=work)
    job.start()
    job.join(10)
    assert ended == [True]

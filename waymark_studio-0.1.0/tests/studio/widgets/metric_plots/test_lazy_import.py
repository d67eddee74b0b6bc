"""pyqtgraph takes half a second to import: nothing imports it with the window."""

from pathlib import Path

import studio

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

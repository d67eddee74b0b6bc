"""Heavy libraries are not imported by ``--version``, by ``--help``, nor by the first paint of the window."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from collector.agents.registry import BUILT_IN
from collector.cli.verb_groups import VERBS
from tests.helpers.scripts import ROOT

HEAVY = (
    "PIL", "adbutils", "asyncio", "av", "cv2", "http.client", "lxml", "multiprocessing", "numpy",
    "requests", "scrcpy", "skia", "sqlite3", "sqlite_utils", "ssl", "uiautomator2",
    "xml.etree.ElementTree",
)  # fmt: skip
"""Libraries that cost a start 5 ms to 200 ms each."""
COMMAND = """
import json, sys
from collector.cli.main import main
assert main(sys.argv[1:]) == 0
print("\\n" + json.dumps(sorted(sys.modules)))
"""

# One run: the modules at the first paint, then those of the filled window, whose workspace answers a key.
WINDOW = """
import json, sys
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from studio.app import first_paint, main
from studio.app import studio as program
from studio.app.main import Options, open_studio
from studio.commands.workspaces import AVAILABLE_WORKSPACES

MODULES = {entry.widget.partition(":")[0] for entry in AVAILABLE_WORKSPACES}

class Watcher(QObject):
    painted = None
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow) and self.painted is None:
            self.painted = sorted(sys.modules)
            self.menus = [action.text() for action in watched.menu.menus.actions() if action.isVisible()]
            QTimer.singleShot(0, watched, lambda: self.look(watched))
        return False
    def look(self, window):
        if not (window.is_loaded and window.current and MODULES <= set(sys.modules)):
            QTimer.singleShot(10, window, lambda: self.look(window))
            return
        self.built = sorted(window.workspaces)
        self.filled = sorted(sys.modules)
        self.front = window.current.scope
        self.title = window.windowTitle()
        window.close()

main.arm_quit_deadline = lambda *_arguments: None  # a loaded machine compiles for longer
first_paint.LONGEST_WAIT_MS = 60_000  # and paints later
app = QApplication(["waymark-studio"])
app.installEventFilter(watcher := Watcher())
status = open_studio(Options(alone=True))
seen = [watcher.menus, watcher.front, watcher.built, watcher.painted, watcher.filled]
print("\\n" + json.dumps([status, *seen]))
"""
CLOSED_AT_ONCE = """
import json, sys
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from studio.app.main import Options, open_studio

class Closer(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and isinstance(watched, QMainWindow):
            QTimer.singleShot(0, watched, watched.close)
        return False

app = QApplication(["waymark-studio"])
app.installEventFilter(closer := Closer())
status = open_studio(Options(alone=True))
print("\\n" + json.dumps([status, "studio.bridge.recording" in sys.modules]))
"""


def last_line(script: str, *words: str, **environment: str) -> Any:
    """What a script prints in its last line, as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_command_imports_no_verb_and_nothing_heavy(option: str) -> None:
    modules = set(last_line(COMMAND, option))
    assert modules.isdisjoint((*HEAVY, "PySide6", "yaml"))
    # Plug-ins may add verbs to the list of --help; the version is a constant.
    assert {"importlib.metadata", "tempfile"}.isdisjoint(modules) or option == "--help"
    rooms = {".".join(name.split(".")[:2]) for name in modules if name.startswith("collector.")}
    assert rooms <= {f"collector.{name}" for name in ("cli", "host", "model", "plugins", "store")}
    # A verb in no group is a module that declares its options alone: the rest is imported when it runs.
    declared = {"main", "output", "shared_options", "verb_groups", "run.executor_names", *VERBS.values()}
    folder = ROOT / "collector" / "cli"
    files = (
        path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py") if path.stem != "__init__"
    )
    verbs = {".".join(file.parts) for file in files} - declared
    assert modules.isdisjoint(f"collector.cli.{name}" for name in verbs)


def test_the_window_paints_before_it_imports_anything_heavy(tmp_path: Path) -> None:
    status, menus, front, built, painted, filled = last_line(WINDOW, WAYMARK_HOME=str(tmp_path))
    assert set(painted).isdisjoint(HEAVY)
    behind = ("collector.device", "collector.rules", "collector.recorder", "studio.bridge.", "studio.views.")
    early = {name for name in painted if name.startswith(behind)}
    # An error before the window has painted is reported, too.
    names = ("event_bridge", "garbage_collector", "jobs", "memory_release", "module_sources")
    bridge = {
        f"studio.bridge.{name}" for name in (*names, "crashes", "crashes.crash_reports", "crashes.hooks")
    }
    assert early <= bridge | {"studio.views.panel_layout"}
    assert {"File", "Edit", "View", "Help"} <= set(menus)
    assert (status, front) == (0, "project")
    assert built == ["project", "record"]
    others = {f"studio.views.{name}.workspace" for name in ("rules", "states", "review", "run", "metrics")}
    assert others <= set(filled), "imported behind the window before any of them comes to the front"


def test_a_window_closed_before_it_is_filled_ends_the_program(tmp_path: Path) -> None:
    assert last_line(CLOSED_AT_ONCE, WAYMARK_HOME=str(tmp_path)) == [0, False]


def test_a_new_catalogue_does_not_import_pandas(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    code = (
        "import json, sys; from pathlib import Path; from collector.store.project.project import Project;"
        "from collector.store.catalogue.catalogue import Catalogue;"
        "Catalogue(Project.create(Path(sys.argv[1]))).close();"
        "print(json.dumps(['pandas' in sys.modules, 'sqlite_utils' in sys.modules]))"
    )
    assert last_line(code, str(tmp_path / "project")) == [False, True]


def test_to_list_the_kinds_of_agents_loads_no_virtual_phone() -> None:
    """Each run and each of its workers lists them, and a phone takes a third of a second to load."""
    loaded, found = set(), list(BUILT_IN.values())
    while found:
        name = found.pop()
        path = ROOT / f"{name.replace('.', os.sep)}.py"
        if name not in loaded and path.is_file():
            loaded.add(name)
            for package, names in re.findall(
                r"^from (collector[\w.]*) import (.+)$", path.read_text("utf-8"), re.MULTILINE
            ):
                found += [package, *(f"{package}.{each.split()[0]}" for each in names.split(","))]
    assert "collector.store.project.project" in loaded
    assert [name for name in sorted(loaded) if name.startswith("collector.virtual.")] == []

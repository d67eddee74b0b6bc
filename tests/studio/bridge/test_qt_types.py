"""The job that imports the workspaces makes no type of Qt: the GUI thread made them before."""

import json
import subprocess
import sys

# Prints the types of Qt that the imports of the workspaces made.
PROGRAM = """
import json, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
from studio.app.main_window.workspaces import workspace_class
from studio.app.studio import Studio
from studio.bridge.qt_types import TYPES_OF_WORKSPACES, make_types
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.settings import Settings

studio = Studio(Settings(Path(sys.argv[1])))
for module, names in TYPES_OF_WORKSPACES.items():
    make_types(module, names)

def types():
    return {f"{module}.{name}" for module in TYPES_OF_WORKSPACES
            for name, value in vars(sys.modules[module]).items() if isinstance(value, type)}

before = types()
for entry in AVAILABLE_WORKSPACES:
    workspace_class(entry)
print(json.dumps(sorted(types() - before)))
studio.close()
"""


def test_importing_the_workspaces_makes_no_type_of_qt(tmp_path):
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "settings.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == []

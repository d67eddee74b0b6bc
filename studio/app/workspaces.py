"""Which workspaces this version has, in the order of the rail."""

from __future__ import annotations

from studio.app.window import Factory
from studio.views.project.workspace import ProjectWorkspace
from studio.views.record.workspace import RecordWorkspace
from studio.views.shell import Shell
from studio.views.workspace import Workspace


def _rules(shell: Shell) -> Workspace:
    """Loaded with it: the rule editor, the engine and NumPy, which a start need not wait for."""
    from studio.views.rules.workspace import RulesWorkspace

    return RulesWorkspace(shell)


WORKSPACES: tuple[tuple[str, Factory], ...] = (
    ("project", ProjectWorkspace),
    ("record", RecordWorkspace),
    ("rules", _rules),
)
BUILT_LATER = frozenset({"rules"})
"""Built when they are first brought to the front, unless they are the only one."""

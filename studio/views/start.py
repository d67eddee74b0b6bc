"""The Project workspace of a window that has no project yet: the first-start page."""

from __future__ import annotations

from studio.views.first_start import first_start
from studio.views.shell import Shell
from studio.views.workspace import Workspace


class StartWorkspace(Workspace):
    """One sentence and one button to a recording."""

    scope = "project"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.set_centre(first_start(shell.commander))

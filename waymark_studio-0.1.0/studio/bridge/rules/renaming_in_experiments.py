"""Follow an id that was renamed in the window in the experiments that name it, behind the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.model.errors import UserError
from collector.rules.grammar.model import INJECTION
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.rules.rule_names import ANOMALY_KIND

if TYPE_CHECKING:
    from collector.run.experiment.id_renaming import ExperimentsRenaming


class RenamingInExperiments:
    """One renamed injection rule or anomaly; other kinds of rules are named by no experiment."""

    def __init__(self, project_library: ProjectLibrary, kind: str, old: str, new: str) -> None:
        self._project_library = project_library
        self._project = project_library.project if kind in (INJECTION, ANOMALY_KIND) else None
        self._kind, self._old, self._new = kind, old, new
        self._renaming: ExperimentsRenaming | None = None
        """Used by jobs only, which run in their order."""

    def rename(self) -> None:
        """Write the new id into the experiments; the library's ``failed`` says which cannot follow."""
        if self._project is not None:
            self._project_library.change_files(self._rename)

    def take_back(self) -> None:
        """Write the id from before."""
        if self._project is not None:
            self._project_library.change_files(self._take_back)

    def _rename(self) -> tuple[UserError, ...]:
        from collector.run.experiment.id_renaming import ExperimentsRenaming  # loads the kinds of agents

        assert self._project is not None
        self._renaming = ExperimentsRenaming(self._project, self._kind, self._old, self._new)
        return self._renaming.rename()

    def _take_back(self) -> tuple[UserError, ...]:
        return self._renaming.take_back() if self._renaming is not None else ()

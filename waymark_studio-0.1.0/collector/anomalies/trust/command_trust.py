"""Trust of a person in the shell commands of one project, library file or installed package."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from collector.anomalies.trust.trust import Ask, CommandGate, TrustBook, builtin_commands
from collector.store.files import yaml_files
from collector.store.project.project import Project

_INSTALLED = "waymark.anomalies"
"""Under which the trust in commands of installed packages is kept while no project is open."""


class CommandTrust:
    """Says which commands may run, and keeps what a person decides.

    The studio's own commands always may. A project's may while a person trusted them *and* the project
    says that it is trusted; see ``docs/decisions/trust-is-kept-per-user.md``.
    """

    def __init__(
        self, project: Project | None = None, library: Path | None = None, book: TrustBook | None = None
    ) -> None:
        """``library`` is a file outside of a project, whose commands are trusted by themselves."""
        self._project = project if library is None else None
        self._book = book or TrustBook()
        self._scope: Path | str = library or (project.folder if project is not None else _INSTALLED)

    def trusts(self, command: str) -> bool:
        """Whether ``command``, as its file writes it, may run."""
        if command in builtin_commands():
            return True
        return self._says_trusted() and self._book.trusts(self._scope, command)

    def untrusted(self, commands: Iterable[str]) -> list[str]:
        """Those of ``commands`` that a person still has to look at, each once."""
        if self._says_trusted():
            return self._book.untrusted(self._scope, commands)
        return [command for command in dict.fromkeys(commands) if command not in builtin_commands()]

    def trust(self, commands: Iterable[str]) -> None:
        """Keep that a person looked at ``commands`` and lets them run."""
        self._book.trust(self._scope, commands)
        if self._project is not None and not self._says_trusted():
            self._project.set(trusted=True)

    def revoke(self) -> None:
        """Trust nothing of it any more."""
        self._book.forget(self._scope)
        if self._project is not None:
            self._project.set(trusted=False)

    def gate(self, ask: Ask | None = None) -> CommandGate:
        """The gate that lets trusted commands run; ``ask`` decides on dangerous ones."""
        return CommandGate(self.trusts, ask)

    def _says_trusted(self) -> bool:
        """Whether the project says so in its file now; a file by itself says nothing."""
        if self._project is None:
            return True
        settings = yaml_files.load(self._project.paths.settings)
        return isinstance(settings, dict) and settings.get("trusted") is True

"""The files that decide how the agents of an experiment act, as digests of their contents."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from collector.agents.kinds import AgentKind
from collector.agents.registry import agent_kinds
from collector.model.errors import UserError
from collector.plugins.options import with_defaults
from collector.run.experiment.model import AgentEntry
from collector.store.project.project import Project

_UNREADABLE = "unreadable"
_LONGEST = 16_000_000
"""Bytes; a longer file is known by its length, so that no file takes the memory or the time of a plan."""


class AgentFiles:
    """Reads each file once: make another one to see later contents."""

    def __init__(self, project: Project, kinds: Mapping[str, AgentKind] | None = None) -> None:
        self._project = project
        self._kinds = agent_kinds().kinds if kinds is None else kinds
        self._digests: dict[Path, str] = {}

    def digests(self, entry: AgentEntry, task_id: str) -> dict[str, str]:
        """Place -> digest of each file that decides how an agent acts on a task."""
        kind = self._kinds.get(entry.kind)
        if kind is None:
            return {}
        try:
            files = kind.files(with_defaults(kind, entry.options), self._project, task_id)
        except UserError:  # the agent says what is wrong when it is made
            return {}
        return {self._name(path): self._digest(path) for path in files}

    def _name(self, path: Path) -> str:
        """Where a file is in the project; the name alone of another, which lies elsewhere on each machine.

        The same whether the project was opened by its whole path, by a link, or as the current folder:
        otherwise what one of them ran would be stale for the others.
        """
        folder = self._project.folder
        for base, inside in ((folder, path), (folder.resolve(), path), (folder.resolve(), path.resolve())):
            if inside.is_relative_to(base):
                return inside.relative_to(base).as_posix()
        return path.name

    def _digest(self, path: Path) -> str:
        known = self._digests.get(path)
        if known is None:
            known = self._digests[path] = _digest_of(path)
        return known


def _digest_of(path: Path) -> str:
    try:
        if not path.is_file():  # a pipe would never end
            return _UNREADABLE
        if (size := path.stat().st_size) > _LONGEST:
            return f"{size} bytes"
        # As text, so that the ends of lines make no difference between two machines.
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return _UNREADABLE
    return hashlib.sha256(text.encode()).hexdigest()[:12]

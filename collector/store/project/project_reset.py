"""The reset that ``project.yaml`` declares: shell commands for the phone, or a named snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from collector.model.i18n import _
from collector.store.files.errors import Damaged
from collector.store.files.layout import PROJECT_FILE

RESET_KEYS = ("commands", "snapshot")
"""The keys of a reset."""


@dataclass(frozen=True, slots=True)
class ProjectReset:
    """``snapshot`` is loaded first, then ``commands`` run in the phone's shell, in order."""

    commands: tuple[str, ...] = ()
    snapshot: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.commands or self.snapshot)


def read_project_reset(value: object) -> ProjectReset:
    """The reset of a project's settings. Raises Damaged when it is written wrongly."""
    if value is None:
        return ProjectReset()
    if not isinstance(value, Mapping):
        raise _damaged(_("`reset` is not a mapping with `commands` or `snapshot`"))
    commands, snapshot = value.get("commands") or [], value.get("snapshot") or ""
    if not isinstance(commands, list) or not all(isinstance(command, str) for command in commands):
        raise _damaged(_("`commands` of `reset` is not a list of texts"))
    if not isinstance(snapshot, str) or any(char.isspace() for char in snapshot):
        raise _damaged(_("`snapshot` of `reset` is not a name without spaces"))
    return ProjectReset(tuple(command for command in commands if command.strip()), snapshot)


def _damaged(why: str) -> Damaged:
    return Damaged(_("The reset in {name} cannot be read", name=PROJECT_FILE), why)

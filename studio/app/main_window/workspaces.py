"""Load the widget of a workspace that the table of workspaces names."""

from __future__ import annotations

from importlib import import_module

from studio.commands.workspaces import WorkspaceEntry
from studio.views.workspace import Workspace


def workspace_class(entry: WorkspaceEntry) -> type[Workspace]:
    """Import the widget class of a workspace. Raises TypeError when it is not a Workspace of this id."""
    module, _colon, name = entry.widget.partition(":")
    loaded = getattr(import_module(module), name)
    if not issubclass(loaded, Workspace) or loaded.scope != entry.id:
        raise TypeError(f"{entry.widget} is no workspace with the scope {entry.id!r}")
    workspace: type[Workspace] = loaded
    return workspace

"""What a folder must be for a new project."""

from __future__ import annotations

import os
from pathlib import Path

from collector.model.i18n import _
from collector.store.files.errors import StoreError
from collector.store.files.layout import is_project


def require_new(folder: Path) -> None:
    """Raise StoreError unless a project can be made in ``folder``: it is new or empty."""
    if is_project(folder):
        raise StoreError(
            _("There is a project in {folder} already", folder=folder),
            "",
            _("Open it, or choose another folder"),
        )
    if os.path.lexists(folder) and not folder.is_dir():
        raise StoreError(
            _("There is a file called {name} already", name=folder.name), "", _("Choose another name")
        )
    if folder.is_dir() and any(folder.iterdir()):
        raise StoreError(
            _("{folder} is not empty", folder=folder.absolute()),
            _("a new project would mix its files with those there"),
            _("Choose a new folder"),
        )

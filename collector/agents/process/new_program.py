"""Write the program of a new agent into a project, to be edited."""

from __future__ import annotations

from pathlib import Path

from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError, UnsafePath
from collector.store.files.names import folder_name
from collector.store.project.project import Project

FOLDER = "agents"
_ENDING = ".py"


def new_program(project: Project, name: str) -> Path:
    """Write ``agents/NAME.py``, which answers every screen by the protocol of programs; returns its path.

    Raises StoreError for a name that is in use, and UnsafePath for one that is no file name.
    """
    project.require_writable()
    stem = name.removesuffix(_ENDING)
    if not stem or folder_name(stem) != stem:
        raise UnsafePath(_("{name} cannot be the name of a file", name=name), "", _("Choose another name"))
    path = project.folder / FOLDER / f"{stem}{_ENDING}"
    if path.exists():
        raise StoreError(
            _("There is a file called {name} already", name=f"{FOLDER}/{path.name}"),
            "",
            _("Choose another name"),
        )
    disk = Disk()
    disk.make_folder(path.parent)
    disk.write(path, asset("agents", "new_agent.py").read_bytes())
    return path


def entry_of(path: Path, project: Project) -> str:
    """The line for ``agents`` of an experiment that runs a program of :func:`new_program`."""
    place = project.paths.relative(path)
    command = f'["{{python}}", {place}]'
    return f"- {{id: {path.stem}, kind: process, command: {command}, tree: nodes, screenshot: none}}"

"""Write a document anew into its YAML file, with the comments and the layout of what did not change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from collector.model.i18n import _
from collector.store import yaml_files
from collector.store.disk import Disk
from collector.store.errors import Damaged, StoreError


def write_yaml(path: Path, document: Mapping[str, Any], disk: Disk, keys: tuple[str, ...]) -> None:
    """Write ``document`` to ``path``. Entries of lists are recognised by their values of ``keys``.

    Raises StoreError; the file is whole or unchanged, and reads as ``document``.
    """
    data = b""
    if path.exists():
        edited = yaml_files.load_for_edit(path)
        if isinstance(edited, dict):
            _update(edited, document, keys)
            data = yaml_files.dump(edited)
    if not data or not _reads_as(data, document, path.name):
        data = yaml_files.dump(yaml_files.quoted(document))
    if not _reads_as(data, document, path.name):
        raise StoreError(
            _("{name} is not saved, because it could not be read again", name=path.name),
            "",
            _("Remove unusual characters from the sentences; the file on the disk is as it was"),
        )
    disk.write(path, data)


def _reads_as(data: bytes, document: Mapping[str, Any], name: str) -> bool:
    try:
        return bool(yaml_files.parse(data, name) == document)
    except Damaged:
        return False


def _update(target: Any, values: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    """Change a mapping in place to ``values``; equal values stay as they are written."""
    for name in [name for name in target if name not in values]:
        del target[name]
    for name, value in values.items():
        known = target.get(name)
        if isinstance(known, dict) and isinstance(value, Mapping):
            _update(known, value, keys)
        elif isinstance(known, list) and isinstance(value, list):
            _update_list(known, value, keys)
        elif name not in target or known != value:
            target[name] = yaml_files.quoted(value)


def _update_list(target: Any, values: list[Any], keys: tuple[str, ...]) -> None:
    """Change a list in place; an entry that is recognised keeps its comments, also in another place."""
    if target == values:
        return
    known = {name: entry for entry in target if (name := _name_of(entry, keys))}
    entries = []
    for value in values:
        entry = known.pop(_name_of(value, keys), None)
        if entry is None:
            entries.append(yaml_files.quoted(value))
        else:
            _update(entry, value, keys)
            entries.append(entry)
    target[:] = entries


def _name_of(entry: object, keys: tuple[str, ...]) -> str:
    """The values of ``keys`` as one text; empty when it has none of them."""
    if not isinstance(entry, Mapping) or not any(key in entry for key in keys):
        return ""
    return repr([str(entry.get(key, "")) for key in keys])

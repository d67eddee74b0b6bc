"""YAML files of a project: load them safely, and write them with the comments and layout of what stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.located_yaml.safe_load import MAX_BYTES, YamlError, safe_load
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.i18n import _
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, NotFound, StoreError


def load(path: Path) -> Any:
    """The plain value of a YAML file. Raises NotFound or Damaged, with the line of the fault."""
    return parse(_read(path), path.name)


def read_text(path: Path, name: str) -> str:
    """The text of a YAML file that can be loaded; ``name`` is shown. Raises NotFound or Damaged."""
    return _text_of(_read(path), name)


def parse(data: bytes, name: str) -> Any:
    """The plain value of YAML data; ``name`` is that of its file. Raises Damaged."""
    try:
        return safe_load(data, name)
    except YamlError as error:
        raise Damaged(error.what, error.why, error.to_do) from None


def write(path: Path, document: dict[str, Any], disk: Disk, keys: tuple[str, ...] = ()) -> None:
    """Write ``document`` to ``path``. Entries of lists are recognised by their values of ``keys``.

    Raises StoreError; the file is whole or unchanged, and reads as ``document``.
    """
    data = changed(_read(path), document, path.name, keys) if path.exists() else new(document, path.name)
    disk.write(path, data)


def new(document: dict[str, Any], name: str) -> bytes:
    """The content of a new file. Raises StoreError unless it reads as ``document``."""
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    try:
        data = documents.new_document(document).encode()
        if parse(data, name) == document:
            return data
    except (DocumentError, Damaged):
        pass
    raise StoreError(
        _("{name} is not saved, because it could not be read again", name=name),
        "",
        _("Remove unusual characters from the sentences; the file on the disk is as it was"),
    )


def changed(data: bytes, document: dict[str, Any], name: str, keys: tuple[str, ...] = ()) -> bytes:
    """The content ``data`` with another document; a file without comments may be laid out anew.

    Raises StoreError for a file that would lose its comments.
    """
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    text = _text_of(data, name)
    try:
        return documents.changed_document(text, document, keys).encode()
    except DocumentError as error:
        if documents.has_comments(text):
            raise layout_error(name) from error
    return new(document, name)


def layout_error(name: str) -> StoreError:
    """The error for a file whose comments or layout an edit would lose."""
    return StoreError(
        _("{name} cannot be edited", name=name),
        _("its layout or its comments would be lost"),
        _("Change its file in an editor"),
    )


def _text_of(data: bytes, name: str) -> str:
    """YAML data as text, once it was loaded: what is no text is explained best by that."""
    parse(data, name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Damaged(_("{name} cannot be edited", name=name), str(error)) from None


def _read(path: Path) -> bytes:
    """The bytes of a file, at most one more than can be loaded. Raises NotFound or Damaged."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(
            _("{name} is missing", name=path.name), _("there is none in {folder}", folder=path.parent)
        ) from None
    except OSError as error:
        raise Damaged(
            _("{name} cannot be read", name=path.name),
            error.strerror or str(error),
            _("Check that it is a file and that you may read it"),
        ) from None

"""YAML files of a project: load them safely, and change them with their comments kept."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector.located_yaml.safe_load import MAX_BYTES, YamlError, safe_load
from collector.model.i18n import _
from collector.store.errors import Damaged, NotFound

if TYPE_CHECKING:  # loaded when a file is first edited: it takes a tenth of a second
    from ruamel.yaml import YAML


def load(path: Path) -> Any:
    """The plain value of a YAML file. Raises NotFound or Damaged, with the line of the fault."""
    return _safe_load(_read(path), path)


def load_for_edit(path: Path) -> Any:
    """The document of ``path`` with its comments, to be changed in place and dumped."""
    from ruamel.yaml.error import YAMLError

    data = _read(path)
    _safe_load(data, path)
    try:
        return _round_trip().load(data.decode("utf-8-sig"))
    except (YAMLError, UnicodeDecodeError) as error:
        raise Damaged(_("{name} cannot be edited", name=path.name), str(error)) from None


def dump(document: Any) -> bytes:
    """The bytes of a document, comments included when it came from :func:`load_for_edit`."""
    buffer = io.StringIO()
    _round_trip().dump(document, buffer)
    return buffer.getvalue().encode()


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


def _safe_load(data: bytes, path: Path) -> Any:
    try:
        return safe_load(data, path.name)
    except YamlError as error:
        raise Damaged(error.what, error.why, error.to_do) from None


def _round_trip() -> YAML:
    """A ruamel.yaml editor that leaves untouched lines as they are, set to the style of our files."""
    from ruamel.yaml import YAML

    editor = YAML(typ="rt")
    editor.preserve_quotes = True
    editor.allow_unicode = True
    editor.width = 4096  # a line a person wrote stays one line
    editor.indent(mapping=2, sequence=4, offset=2)
    return editor

"""YAML files of a project: load them safely, and change them with their comments kept."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from collector.located_yaml.safe_load import MAX_BYTES, YamlError, safe_load
from collector.model.i18n import _
from collector.store.errors import Damaged, NotFound

if TYPE_CHECKING:  # loaded when a file is first edited: it takes a tenth of a second
    from ruamel.yaml import YAML

_RESOLVER: Any = yaml.resolver.Resolver()
_TEXT_TAG = "tag:yaml.org,2002:str"
_BREAKS = re.compile("[\x85\u2028\u2029\ufeff]")
"""Characters that YAML takes for the end of a line, or for nothing, outside quotes."""


def load(path: Path) -> Any:
    """The plain value of a YAML file. Raises NotFound or Damaged, with the line of the fault."""
    return _safe_load(_read(path), path.name)


def load_for_edit(path: Path) -> Any:
    """The document of ``path`` with its comments, to be changed in place and dumped."""
    from ruamel.yaml.error import YAMLError

    data = _read(path)
    _safe_load(data, path.name)
    try:
        return parse_for_edit(data.decode("utf-8-sig"))
    except (YAMLError, UnicodeDecodeError) as error:
        raise Damaged(_("{name} cannot be edited", name=path.name), str(error)) from None


def parse(data: bytes, name: str) -> Any:
    """The plain value of YAML data; ``name`` is that of its file. Raises Damaged."""
    return _safe_load(data, name)


def quoted(value: Any) -> Any:
    """``value`` for a document, with each text quoted that YAML would read as something else.

    The editor writes YAML 1.2 and every reader reads 1.1, where ``yes`` is a truth and ``1:30`` a number.
    """
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if isinstance(value, str):
        is_plain = _RESOLVER.resolve(yaml.ScalarNode, value, (True, False)) == _TEXT_TAG
        return value if is_plain and not _BREAKS.search(value) else DoubleQuotedScalarString(value)
    if isinstance(value, Mapping):
        return {quoted(key): quoted(entry) for key, entry in value.items()}
    return [quoted(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def parse_for_edit(text: str) -> Any:
    """The document of a text that was loaded safely before, with its comments."""
    return _round_trip().load(text)


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


def _safe_load(data: bytes, name: str) -> Any:
    try:
        return safe_load(data, name)
    except YamlError as error:
        raise Damaged(error.what, error.why, error.to_do) from None


def _round_trip() -> YAML:
    """A ruamel.yaml editor that leaves untouched lines as they are, set to the style of our files."""
    from ruamel.yaml import YAML

    editor = YAML(typ="rt")
    editor.preserve_quotes = True
    editor.Representer = _number_representer()
    editor.allow_unicode = True
    editor.width = 4096  # a line a person wrote stays one line
    editor.indent(mapping=2, sequence=4, offset=2)
    return editor


@functools.cache
def _number_representer() -> Any:
    """A representer that writes ``1.0e-07``: YAML 1.1 takes ``1e-07`` for a text."""
    from ruamel.yaml.representer import RoundTripRepresenter

    class NumberRepresenter(RoundTripRepresenter):
        """Writes numbers as YAML 1.1 reads them."""

        def represent_float(self, data: float) -> Any:
            text = repr(data)
            if "e" in text and "." not in text:
                return self.represent_scalar("tag:yaml.org,2002:float", text.replace("e", ".0e"))
            return super().represent_float(data)

    NumberRepresenter.add_representer(float, NumberRepresenter.represent_float)
    return NumberRepresenter

"""YAML as people write it: read safely, and changed with its comments kept.

Reading makes plain values only (no tags of Python, no bombs of aliases); a change goes through
ruamel.yaml, which leaves untouched lines as they are.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from collector.model.i18n import _
from collector.store.errors import Damaged, NotFound

if TYPE_CHECKING:  # loaded when a file is first edited: it takes a tenth of a second
    from ruamel.yaml import YAML

MAX_BYTES = 16 * 1024 * 1024
MAX_NODES = 1_000_000
MAX_DEPTH = 200
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(path: Path) -> Any:
    """The plain value of a YAML file. Raises NotFound or Damaged, with the line of the fault."""
    try:
        data = path.read_bytes()
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
    if len(data) > MAX_BYTES:
        raise Damaged(
            _("{name} is too large to be read", name=path.name),
            _("the limit is {size} MB", size=MAX_BYTES >> 20),
            _("Take out what does not belong into it, or restore it from a copy"),
        )
    try:
        _refuse_bombs(data, path.name)
        return yaml.load(data, _Loader)  # noqa: S506 - a safe loader, in C
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else "?"
        raise Damaged(
            _("{name} cannot be read", name=path.name),
            _("line {line}: {problem}", line=line, problem=error.problem or error.context),
            _("Correct the line and open it again"),
        ) from None
    except (yaml.reader.ReaderError, UnicodeDecodeError):
        raise Damaged(
            _("{name} cannot be read", name=path.name),
            _("it is not text in UTF-8"),
            _("Save it as UTF-8, or restore it from a copy"),
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Damaged(_("{name} cannot be read", name=path.name), " ".join(str(error).split())) from None


def _refuse_bombs(data: bytes, name: str) -> None:
    """Raise Damaged when aliases would expand, or nesting go, beyond reason.

    Works on events, which are flat however deep the document is.
    """
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = []
    total = 0
    for event in yaml.parse(data, _Loader):
        if isinstance(event, yaml.AliasEvent):
            total += sizes.get(event.anchor or "", MAX_NODES)
        elif isinstance(event, yaml.NodeEvent):
            open_nodes.append((event.anchor, total))
            total += 1
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionEndEvent)):
            anchor, before = open_nodes.pop()
            if anchor:
                sizes[anchor] = total - before
        if len(open_nodes) > MAX_DEPTH:
            raise Damaged(
                _("{name} is refused", name=name),
                _("it is nested more than {limit} deep", limit=MAX_DEPTH),
                _("Correct it, or restore it from a copy"),
            )
        if total > MAX_NODES:
            raise Damaged(
                _("{name} is refused", name=name),
                _("it would unfold into more than a program can hold"),
                _("Write it without nested aliases"),
            )


def editor() -> YAML:
    """A round-trip editor set to the style of our files."""
    from ruamel.yaml import YAML

    yaml_editor = YAML(typ="rt")
    yaml_editor.preserve_quotes = True
    yaml_editor.allow_unicode = True
    yaml_editor.width = 4096  # a line a person wrote stays one line
    yaml_editor.indent(mapping=2, sequence=4, offset=2)
    return yaml_editor


def load_for_edit(path: Path) -> Any:
    """The document of ``path`` with its comments, to be changed in place and dumped."""
    from ruamel.yaml.error import YAMLError

    load(path)
    try:
        return editor().load(path.read_bytes().decode("utf-8-sig"))
    except (YAMLError, UnicodeDecodeError) as error:
        raise Damaged(_("{name} cannot be edited", name=path.name), str(error)) from None


def dump(document: Any) -> bytes:
    """The bytes of a document, comments included when it came from :func:`load_for_edit`."""
    buffer = io.StringIO()
    editor().dump(document, buffer)
    return buffer.getvalue().encode()

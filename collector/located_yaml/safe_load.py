"""Load YAML safely: plain values only, within limits of size, nesting and alias growth.

These limits hold for every YAML text that Waymark reads. Time and memory grow linearly with the
size of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import yaml

from collector.located_yaml.merge_marks import first_mark
from collector.model.errors import UserError
from collector.model.i18n import _

MAX_BYTES = 16 * 1024 * 1024
"""Size of a file; also the limit of characters of a text."""
MAX_DEPTH = 200
MAX_VALUES = 1_000_000
"""Values of a text with its aliases written out."""
MAX_LOCATED_BYTES = 4 * 1024 * 1024
"""Size of a file that is read with the place of each value, as rules and anomalies are; also the limit of
characters of a text. That takes ten times as long as the values alone."""
MAX_LOCATED_VALUES = 250_000
"""Values of a text that is read with the place of each."""
_BaseLoader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PREFIX = "tag:yaml.org,2002:"
_CONVERTED = ("bool", "int", "float", "timestamp")
"""Tags whose values PyYAML computes, with errors of any kind for a text that is none of them."""


def _clearly(construct: Callable[[Any, Any], Any], kind: str) -> Callable[[Any, Any], Any]:
    """``construct`` with one kind of error, which has the place."""

    def constructed(loader: Any, node: Any) -> Any:
        try:
            return construct(loader, node)
        except (ValueError, LookupError, AttributeError, TypeError, OverflowError):
            shown = node.value[:40] if isinstance(node.value, str) else ""
            raise yaml.constructor.ConstructorError(
                None, None, _("{text} is no {kind}", text=repr(shown), kind=kind), node.start_mark
            ) from None

    return constructed


class PlainConstructor(yaml.constructor.SafeConstructor):
    """Makes plain values of nodes; raises ``yaml.MarkedYAMLError`` with the place for every other text."""


class _Loader(_BaseLoader):  # type: ignore[misc]
    """Loads plain values."""


for _kind in _CONVERTED:
    _tag = f"{_PREFIX}{_kind}"
    _construct = _clearly(yaml.constructor.SafeConstructor.yaml_constructors[_tag], _kind)
    PlainConstructor.add_constructor(_tag, _construct)
    _Loader.add_constructor(_tag, _construct)


class YamlError(UserError):
    """A text is not YAML or exceeds a limit."""


class LimitError(yaml.MarkedYAMLError):
    """A text exceeds a limit; ``problem_mark`` is the place and ``problem`` the reason."""

    is_of_whole = False
    """Whether the text as a whole is too much; otherwise one place of it is."""

    def __init__(self, problem: str, mark: Any) -> None:
        super().__init__(problem=problem, problem_mark=mark)


def safe_load(data: bytes | str, name: str) -> Any:
    """The plain value of a YAML document. Raises YamlError, which says ``name`` and the line."""
    if len(data) > MAX_BYTES:
        raise too_large(name)
    try:
        for _event in bounded_events(data, MAX_VALUES):
            pass
        return yaml.load(data, _Loader)  # noqa: S506 - a safe loader, in C
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        merge = first_mark(data if isinstance(data, str) else data.decode("utf-8", "replace"))
        if merge is not None:
            why = _("line {line}: {problem}", line=merge.line, problem=merge.what)
            raise YamlError(_("{name} cannot be read", name=name), why, merge.to_do) from None
        raise YamlError(
            _("{name} cannot be read", name=name),
            _(
                "line {line}: {problem}",
                line=mark.line + 1 if mark else "?",
                problem=error.problem or error.context,
            ),
            _("Correct the line and open it again"),
        ) from None
    except (yaml.reader.ReaderError, UnicodeError):
        raise YamlError(
            _("{name} cannot be read", name=name),
            _("it is not text in UTF-8"),
            _("Save it as UTF-8, or restore it from a copy"),
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlError(_("{name} cannot be read", name=name), " ".join(str(error).split())) from None


def too_large(name: str) -> YamlError:
    """The error for a file of more than ``MAX_BYTES``."""
    return YamlError(
        _("{name} is too large to be read", name=name),
        _("the limit is {size} MB", size=MAX_BYTES >> 20),
        _("Remove what does not belong in it, or restore it from a copy"),
    )


def bounded_events(data: bytes | str, max_values: int) -> Iterator[Any]:
    """The parser events of a YAML text, flat however deep it is nested.

    Raises LimitError for a text that is nested too deeply or has too many values, by itself or by its
    aliases, or whose alias names nothing before it; other ``yaml.YAMLError`` for a text that is not YAML.
    """
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = []
    values = unfolded = 0
    event: Any
    for event in yaml.parse(data, _Loader):
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise LimitError(
                    _("the alias *{name} names nothing before it", name=event.anchor), event.start_mark
                )
            values += sizes[event.anchor]
            unfolded += sizes[event.anchor]
        elif isinstance(event, yaml.NodeEvent):
            open_nodes.append((event.anchor, values))
            values += 1
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionEndEvent)):
            anchor, before = open_nodes.pop()
            if anchor:
                sizes[anchor] = values - before
        if len(open_nodes) > MAX_DEPTH:
            raise LimitError(_("it is nested more than {limit} deep", limit=MAX_DEPTH), event.start_mark)
        if values > max_values:
            raise _too_many_values(max_values, values - unfolded, event.start_mark)
        yield event


def _too_many_values(limit: int, written: int, mark: Any) -> LimitError:
    """The error for too many values; ``written`` of them do not come from aliases."""
    if written > limit // 2:
        error = LimitError(_("up to here it has more than {limit} values", limit=f"{limit:,}"), mark)
    else:
        error = LimitError(_("it would unfold into more than a program can hold"), mark)
    error.is_of_whole = True
    return error

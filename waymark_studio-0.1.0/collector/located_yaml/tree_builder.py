"""Build the tree of a YAML document in one pass over the parser's events, without recursion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import yaml

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.located_yaml.line_index import LineIndex
from collector.located_yaml.safe_load import (
    MAX_LOCATED_VALUES,
    LimitError,
    PlainConstructor,
    bounded_events,
)
from collector.located_yaml.yaml_node import YamlNode, plain_mapping
from collector.model.i18n import _

_MERGE_TAG = "tag:yaml.org,2002:merge"
_TEXT_TAG = "tag:yaml.org,2002:str"


class YamlSyntaxError(Exception):
    """The text is not YAML from ``place`` on; ``why`` is the reason."""

    def __init__(self, place: Place, why: str) -> None:
        super().__init__(why)
        self.place = place
        self.why = why


class YamlLimitError(YamlSyntaxError):
    """The text as a whole is too much to read; its parts need not be tried."""


class YamlTreeBuilder:
    """Builds the tree of one document.

    ``offset`` is where ``text`` begins in the text of ``lines``; places count from there.
    Repeated keys are added to ``diagnostics``.
    """

    def __init__(self, text: str, offset: int, lines: LineIndex, diagnostics: list[Diagnostic]) -> None:
        self._text = text
        self._offset = offset
        self._lines = lines
        self._diagnostics = diagnostics
        self._anchors: dict[str, YamlNode] = {}
        self._scalars = _ScalarResolver()

    def build(self) -> YamlNode | None:
        """The root, None for an empty text. Raises YamlSyntaxError."""
        try:
            return self._build()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = self._place(mark, mark) if mark else self._lines.place(self._offset, self._offset)
            is_limit = isinstance(error, LimitError) and error.is_of_whole
            kind = YamlLimitError if is_limit else YamlSyntaxError
            raise kind(place, str(error.problem or error.context)) from None
        except yaml.reader.ReaderError as error:
            position = error.position if isinstance(error.position, int) else 0  # counts bytes
            at = self._offset + len(self._text.encode()[:position].decode(errors="ignore"))
            raise YamlSyntaxError(
                self._lines.place(at, at), _("a character that YAML does not allow")
            ) from None
        except (yaml.YAMLError, ValueError) as error:
            raise YamlSyntaxError(self._lines.place(self._offset, self._offset), str(error)) from None

    def _build(self) -> YamlNode | None:
        root: YamlNode | None = None
        open_nodes: list[tuple[YamlNode, list[YamlNode], str | None]] = []
        for event in self._events():
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                kind = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
                place = self._place(event.start_mark, event.end_mark)
                open_nodes.append((YamlNode(kind, place), [], event.anchor))
                continue
            if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                node, children, anchor = open_nodes.pop()
                self._close(node, children, event)
            else:
                node, anchor = self._leaf(event), getattr(event, "anchor", None)
            if anchor and not isinstance(event, yaml.AliasEvent):
                self._anchors[anchor] = node
            if open_nodes:
                open_nodes[-1][1].append(node)
            elif root is None:
                root = node
        return root

    def _events(self) -> Iterator[Any]:
        """The events of nodes. Raises YamlSyntaxError at a second document."""
        of_nodes = (yaml.events.NodeEvent, yaml.MappingEndEvent, yaml.SequenceEndEvent)
        documents = 0
        for event in bounded_events(self._text, MAX_LOCATED_VALUES):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    place = self._place(event.start_mark, event.end_mark)
                    raise YamlSyntaxError(place, _("a second document begins here; a rule file is one"))
            elif isinstance(event, of_nodes):
                yield event

    def _leaf(self, event: Any) -> YamlNode:
        place = self._place(event.start_mark, event.end_mark)
        if isinstance(event, yaml.AliasEvent):
            return replace(self._anchors[event.anchor or ""], place=place)
        return YamlNode("scalar", place, self._scalars.value(event), event.value)

    def _close(self, node: YamlNode, children: list[YamlNode], event: Any) -> None:
        if node.kind == "sequence":
            node.items = children
            node.plain = [child.plain for child in children]
        else:
            node.pairs = self._merged(list(zip(children[::2], children[1::2], strict=True)))
            self._report_repeated_keys(node.pairs)
            node.plain = plain_mapping(node.pairs)
        flow_end = event.end_mark.index + self._offset
        is_flow = event.end_mark.index > event.start_mark.index
        end = flow_end if is_flow else max([child.place.end for child in children], default=node.place.end)
        node.place = replace(node.place, end=end)

    def _merged(self, pairs: list[tuple[YamlNode, YamlNode]]) -> list[tuple[YamlNode, YamlNode]]:
        """The pairs after ``<<``: those of the merged mappings first, without keys the mapping has itself."""
        own_pairs = [(key, value) for key, value in pairs if key.plain is not _MERGE_KEY]
        if len(own_pairs) == len(pairs):
            return pairs
        names = {key.text for key, _value in own_pairs}
        merged_pairs: list[tuple[YamlNode, YamlNode]] = []
        for key, value in pairs:
            for mapping in (value.items or [value]) if key.plain is _MERGE_KEY else ():
                for inner_key, inner_value in mapping.pairs:
                    if inner_key.text not in names:
                        names.add(inner_key.text)
                        merged_pairs.append((inner_key, inner_value))
        return merged_pairs + own_pairs

    def _report_repeated_keys(self, pairs: list[tuple[YamlNode, YamlNode]]) -> None:
        names: set[str] = set()
        for key, _value in pairs:
            if key.kind == "scalar" and key.text in names:
                what = _("The key {name} appears twice; the last one counts", name=key.text)
                self._diagnostics.append(diagnostic("duplicate-key", key.place, what))
            names.add(key.text)

    def _place(self, start: Any, end: Any) -> Place:
        return self._lines.place(start.index + self._offset, end.index + self._offset)


class _MergeKey:
    """The plain value of a ``<<`` key."""

    def __repr__(self) -> str:
        return "<<"


_MERGE_KEY = _MergeKey()


class _ScalarResolver:
    """Makes the plain values of scalars, as PyYAML's safe loader makes them."""

    def __init__(self) -> None:
        self._resolver = yaml.resolver.Resolver()
        self._constructor = PlainConstructor()

    def value(self, event: Any) -> Any:
        tag = event.tag
        if tag is None or tag == "!":
            if event.implicit[1] and not event.implicit[0]:
                return event.value
            tag = self._resolver.resolve(  # type: ignore[no-untyped-call]
                yaml.ScalarNode, event.value, event.implicit
            )
        if tag == _MERGE_TAG:
            return _MERGE_KEY
        if tag == _TEXT_TAG:
            return event.value
        node = yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark)
        return self._constructor.construct_object(node)

"""Small edits of YAML text that change one value and leave every other character alone.

Each edit is read back: when the text does not come to exactly what was meant, it is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from collector.rules.diagnostics import TextEdit, apply_edits
from collector.rules.source import YamlNode
from rule_editor.document import block_lists, emit, lines
from rule_editor.document.errors import UnsafeEditError
from rule_editor.document.plain import at_path, plain_of, same
from rule_editor.document.style import Style

Path = tuple[str | int, ...]
EMPTY = ("[]", "{}", "")


@dataclass(frozen=True, slots=True)
class Cut:
    """An entry taken out of a list: its value, and its lines from column 0 when it had lines of its own."""

    value: Any
    lines: tuple[str, ...] = ()


class Workpiece:
    """A text under edit, and what it has to mean after each."""

    def __init__(self, text: str, read: Callable[[str], YamlNode | None], style: Style) -> None:
        self.text = text
        self.style = style
        self._read = read
        root = read(text)
        if root is None:
            raise UnsafeEditError
        self.root: YamlNode = root
        self.meant: Any = plain_of(root)

    def node(self, path: Path) -> YamlNode:
        """The node at ``path``. Raises UnsafeEditError when there is none."""
        node: YamlNode | None = self.root
        for step in path:
            if node is None:
                break
            if isinstance(step, int):
                node = node.items[step] if 0 <= step < len(node.items) else None
            else:
                node = node.get(step)
        if node is None:
            raise UnsafeEditError
        return node

    def plain(self, path: Path) -> Any:
        """What the node at ``path`` means. Raises UnsafeEditError when there is none."""
        try:
            return at_path(self.meant, path)
        except (KeyError, IndexError, TypeError):
            raise UnsafeEditError from None

    def in_brackets(self, path: Path) -> bool:
        """Whether the node at ``path``, or one around it, is written in brackets."""
        nodes = (self.node(path[:end]) for end in range(len(path) + 1))
        return any(one.kind != "scalar" and self._starts(one, "[{") for one in nodes)

    def set(self, path: Path, value: Any) -> None:
        """The value at ``path`` becomes ``value``; what it keeps of the old one is left as it is written."""
        node = self.node(path)
        if _as_written(node, value):
            return
        if isinstance(value, list) and node.kind == "sequence" and node.items and value:
            self._set_list(path, value)
        elif isinstance(value, dict) and node.kind == "mapping" and node.pairs and value:
            self._set_mapping(path, value)
        elif node.kind == "scalar" and not isinstance(value, (list, dict)) and self._visible(node):
            self._do(path, value, [self._scalar_edit(node, value, _key_of(path))])
        else:
            self._replace(path, value)

    def insert_key(self, path: Path, key: str, value: Any, after: str | None) -> None:
        """A new key in the mapping at ``path``, behind the key ``after`` (None = first)."""
        node = self.node(path)
        old = self.plain(path)
        if not isinstance(old, dict) or key in old:
            raise UnsafeEditError
        names = list(old)
        at = names.index(after) + 1 if after in old else 0
        new = {name: old[name] for name in names[:at]}
        new[key] = value
        new.update({name: old[name] for name in names[at:]})
        if not old:
            self._replace(path, new)
        elif self._starts(node, "{"):
            self._do(path, new, [self._flow_key(node, key, value, at)])
        else:
            self._do(path, new, [self._block_key(node, key, value, at)])

    def remove_key(self, path: Path, key: str) -> None:
        """The key of the mapping at ``path`` goes, its value with it."""
        node = self.node(path)
        new = {name: one for name, one in self.plain(path).items() if name != key}
        if not new:
            self._replace(path, new)
            return
        at = next(index for index, (one, _value) in enumerate(node.pairs) if one.text == key)
        self._do(path, new, [self._without_pair(node, at)])

    def rename_key(self, path: Path, key: str, new_key: str) -> None:
        """The key is called otherwise; its value stays."""
        old = self.plain(path)
        if new_key in old and new_key != key:
            raise UnsafeEditError
        written = self.node(path).key(key)
        if written is None:
            raise UnsafeEditError
        sign = self.text[written.place.start : written.place.start + 1]
        text = emit.scalar(new_key, sign) if sign in ("'", '"') else emit.name(new_key)
        new = {new_key if name == key else name: one for name, one in old.items()}
        self._do(path, new, [TextEdit(written.place.start, written.place.end, text)])

    def insert_item(self, path: Path, index: int, value: Any | Cut) -> None:
        """A new entry of the list at ``path`` before the entry ``index``."""
        cut = value if isinstance(value, Cut) else Cut(value)
        node = self.node(path)
        old = self.plain(path)
        if node.kind == "scalar" and old is None:
            old = []
        if not isinstance(old, list):
            raise UnsafeEditError
        index = max(0, min(index, len(old)))
        new = [*old[:index], cut.value, *old[index:]]
        if not old:
            self._first_item(path, new, cut)
        elif self._starts(node, "["):
            self._do(
                path, new, [self._flow_item(node, index, emit.flow(cut.value, self.style, _key_of(path)))]
            )
        else:
            edit = block_lists.insertion(
                self.text, node, index, cut.lines, cut.value, self.style, _key_of(path)
            )
            self._do(path, new, [edit])

    def remove_item(self, path: Path, index: int) -> Cut:
        """Take an entry out of the list at ``path``, the comments directly above it with it."""
        node = self.node(path)
        old = self.plain(path)
        if not 0 <= index < len(node.items):
            raise UnsafeEditError
        new = [*old[:index], *old[index + 1 :]]
        if self._starts(node, "["):
            self._do(path, new, [self._without_item(node, index)])
            return Cut(old[index])
        raw = block_lists.lines_of(self.text, node, index)
        if new:
            self._do(path, new, [block_lists.removal(self.text, node, index)])
        else:
            self._empty_list(path, node)
        return Cut(old[index], raw)

    def nest(self, path: Path, key: str) -> None:
        """The mapping at ``path`` becomes the only entry of a list under ``key`` of a new mapping."""
        new = {key: [self.plain(path)]}
        block = self._block_at(path)
        if block is None:
            self._replace(path, new)
            return
        start, end, column = block
        dash = column + self.style.dash
        moved = lines.shifted(self.text[start:end].splitlines(keepends=True), self.style.dash + 2)
        moved[0] = " " * dash + "- " + moved[0][dash + 2 :]
        head = " " * column + f"{key}:" + self.style.newline
        self._do(path, new, [TextEdit(start, end, head + "".join(moved))])

    def nest_single(self, path: Path) -> None:
        """The mapping at ``path`` becomes the only entry of a list."""
        new = [self.plain(path)]
        block = self._block_at(path)
        if block is None:
            self._replace(path, new)
            return
        start, end, column = block
        moved = lines.shifted(self.text[start:end].splitlines(keepends=True), 2)
        moved[0] = " " * column + "- " + moved[0][column + 2 :]
        self._do(path, new, [TextEdit(start, end, "".join(moved))])

    def nest_list(self, path: Path, key: str) -> None:
        """The list at ``path`` goes under ``key`` of a new mapping."""
        new = {key: self.plain(path)}
        block = self._block_at(path)
        if block is None or isinstance(path[-1], int):
            self._replace(path, new)
            return
        start, end, _column = block
        written = self.node(path[:-1]).key(str(path[-1]))
        column = lines.column(self.text, written.place.start if written else start) + self.style.step
        by = column + self.style.dash - block[2]
        moved = lines.shifted(self.text[start:end].splitlines(keepends=True), by)
        head = " " * column + f"{key}:" + self.style.newline
        self._do(path, new, [TextEdit(start, end, head + "".join(moved))])

    def _block_at(self, path: Path) -> tuple[int, int, int] | None:
        """Start and end of the lines of a value under its key, and their column; None when it has none."""
        node = self.node(path)
        start = lines.line_start(self.text, node.place.start)
        column = node.place.start - start
        if (
            not path
            or isinstance(path[-1], int)
            or self.in_brackets(path)
            or self.text[start : start + column].strip()
        ):
            return None
        return start, lines.body_end(self.text, node.place.end, start), column

    def _do(self, path: Path, value: Any, edits: list[TextEdit]) -> None:
        """Make edits after which the text means what it did with ``value`` at ``path``; else none."""
        meant = _with(self.meant, path, value)
        text = apply_edits(self.text, tuple(edits))
        root = self._read(text)
        if root is None or not same(plain_of(root), meant):
            raise UnsafeEditError
        self.text, self.root, self.meant = text, root, meant

    def _set_list(self, path: Path, value: list[Any]) -> None:
        for tag, i1, i2, j1, j2 in reversed(block_lists.difference(self.node(path), value, _as_written)):
            if tag == "equal":
                continue
            both = min(i2 - i1, j2 - j1) if tag == "replace" else 0
            for at in range(i2 - 1, i1 + both - 1, -1):
                self.remove_item(path, at)
            for at in range(both):
                self.set((*path, i1 + at), value[j1 + at])
            for at in range(both, j2 - j1):
                self.insert_item(path, i1 + at, value[j1 + at])

    def _set_mapping(self, path: Path, value: dict[str, Any]) -> None:
        for key in [key for key in self.plain(path) if key in value]:
            self.set((*path, key), value[key])
        last: str | None = None
        for key, one in value.items():
            if key not in self.plain(path):
                self.insert_key(path, key, one, last if last is not None else _first(self.plain(path)))
            last = key
        for key in [key for key in self.plain(path) if key not in value]:
            self.remove_key(path, key)

    def _replace(self, path: Path, value: Any) -> None:
        """Write the whole value anew, when there is no comment in what goes."""
        self._do(path, value, block_lists.rewriting(self.text, self.root, path, value, self.style))

    def _empty_list(self, path: Path, node: YamlNode) -> None:
        if not path or isinstance(path[-1], int):
            raise UnsafeEditError
        key = self.node(path[:-1]).key(path[-1])
        if key is None:
            raise UnsafeEditError
        colon = self.text.index(":", key.place.end) + 1
        start, end = block_lists.extent(self.text, node, 0)
        self._do(path, [], [TextEdit(colon, colon, " []"), TextEdit(start, end, "")])

    def _first_item(self, path: Path, new: list[Any], cut: Cut) -> None:
        flow = self.in_brackets(path[:-1]) or not path or isinstance(path[-1], int)
        if flow or not (cut.lines or isinstance(cut.value, dict)):
            self._replace(path, new)
            return
        raw = list(cut.lines) or [
            line + self.style.newline for line in emit.item(cut.value, 0, self.style, "")
        ]
        edits = block_lists.under_key(self.text, self.root, path, raw, self.style)
        self._do(path, new, edits)

    def _scalar_edit(self, node: YamlNode, value: Any, key: str) -> TextEdit:
        place = node.place
        sign = self.text[place.start : place.start + 1]
        quote = sign if sign in ("'", '"') else "" if isinstance(node.plain, str) else self.style.quote(key)
        end = place.start + len(self.text[place.start : place.end].rstrip("\r\n \t"))
        text = emit.scalar(value, quote)
        if sign in ("|", ">"):
            end = lines.body_end(self.text, place.end, place.start)
            end -= len(self.text[:end]) - len(self.text[:end].rstrip("\r\n"))
        gap = (
            " " if place.start == place.end and self.text[place.start - 1 : place.start] in (":", "-") else ""
        )
        return TextEdit(place.start, end, gap + text)

    def _flow_key(self, node: YamlNode, key: str, value: Any, at: int) -> TextEdit:
        text = f"{emit.name(key)}: {emit.flow(value, self.style, key)}"
        if at == 0:
            start = node.pairs[0][0].place.start
            return TextEdit(start, start, text + ", ")
        end = max(one.place.end for one in node.pairs[at - 1])
        return TextEdit(end, end, ", " + text)

    def _block_key(self, node: YamlNode, key: str, value: Any, at: int) -> TextEdit:
        column = lines.column(self.text, node.pairs[0][0].place.start)
        new = self.style.newline.join(emit.pair(key, value, column, self.style))
        if at == 0:
            start = node.pairs[0][0].place.start
            return TextEdit(start, start, new[column:] + self.style.newline + " " * column)
        before = node.pairs[at - 1]
        end = lines.body_end(self.text, max(one.place.end for one in before), before[0].place.start)
        return block_lists.whole_lines(self.text, end, new, self.style)

    def _without_pair(self, node: YamlNode, at: int) -> TextEdit:
        key, value = node.pairs[at]
        end = max(key.place.end, value.place.end)
        if self._starts(node, "{"):
            if at:
                return self._gap(max(one.place.end for one in node.pairs[at - 1]), end)
            return self._gap(key.place.start, node.pairs[1][0].place.start)
        start = lines.line_start(self.text, key.place.start)
        stop = lines.body_end(self.text, end, key.place.start)
        if not self.text[start : key.place.start].strip():
            return TextEdit(start, stop, "")
        if at + 1 == len(node.pairs):
            raise UnsafeEditError
        return self._gap(key.place.start, node.pairs[at + 1][0].place.start)

    def _gap(self, start: int, end: int) -> TextEdit:
        if lines.has_comment(self.text[start:end]):
            raise UnsafeEditError
        return TextEdit(start, end, "")

    def _flow_item(self, node: YamlNode, index: int, text: str) -> TextEdit:
        between = self.style.comma
        if len(node.items) > 1:
            written = self.text[node.items[0].place.end : node.items[1].place.start]
            between = written if written.strip() == "," and not lines.has_comment(written) else between
        if index == 0:
            start = node.items[0].place.start
            return TextEdit(start, start, text + between)
        end = node.items[index - 1].place.end
        return TextEdit(end, end, between + text)

    def _without_item(self, node: YamlNode, index: int) -> TextEdit:
        place = node.items[index].place
        if index:
            return self._gap(node.items[index - 1].place.end, place.end)
        if len(node.items) > 1:
            return self._gap(place.start, node.items[1].place.start)
        return self._gap(place.start, place.end)

    def _starts(self, node: YamlNode, signs: str) -> bool:
        return self.text[node.place.start : node.place.start + 1] in tuple(signs)

    def _visible(self, node: YamlNode) -> bool:
        """A scalar with text of its own, no alias and no anchor before it."""
        return self.text[node.place.start : node.place.start + 1] not in ("*", "&", "!")


def _as_written(node: YamlNode, value: Any) -> bool:
    """Whether the node reads as ``value`` already, in whatever way it is written."""
    if node.kind == "scalar" and node.plain is not None:
        if isinstance(value, str):
            return node.text == value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            plain = node.plain
            return isinstance(plain, (int, float)) and not isinstance(plain, bool) and plain == value
    return same(plain_of(node), value)


def _with(root: Any, path: Path, value: Any) -> Any:
    if not path:
        return copy.deepcopy(value)
    new = copy.copy(root)
    new[path[0]] = _with(root[path[0]], path[1:], value)
    return new


def _key_of(path: Path) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _first(plain: dict[str, Any]) -> str | None:
    """The key to put a mapping's new first key behind: its type or id, which lead."""
    return next((key for key in plain if key in ("type", "id")), None)

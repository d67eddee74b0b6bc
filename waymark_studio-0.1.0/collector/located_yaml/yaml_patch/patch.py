"""Patch YAML text: change one value and leave every other character alone.

After each edit the text is parsed again; an edit that does not lead to exactly the expected value is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from collector.located_yaml.diagnostics import TextEdit, apply_edits
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch import block_lists, lines, node_edits, yaml_writer
from collector.located_yaml.yaml_patch.errors import UnsafeEditError
from collector.located_yaml.yaml_patch.list_matches import ListMatches
from collector.located_yaml.yaml_patch.plain_values import at_path, has_value, plain_of, same
from collector.located_yaml.yaml_patch.style import Layout, YamlStyle, style_of

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class RemovedItem:
    """An item taken out of a list: its value, and its lines indented to column 0 when it had own lines."""

    value: Any
    lines: tuple[str, ...] = ()


class YamlPatch:
    """A YAML text, patched step by step; ``expected`` is the plain value it has to parse to.

    New YAML has the ``style`` of the file, or the most common one of its text, with a layout for the rest.
    Every method raises UnsafeEditError, and changes nothing, when the text cannot take the edit.
    """

    def __init__(self, text: str, read: Callable[[str], YamlNode | None], style: YamlStyle | Layout) -> None:
        self.text = text
        self._read = read
        root = read(text)
        if root is None:
            raise UnsafeEditError
        self.root: YamlNode = root
        self.style = style_of(text, root, style) if isinstance(style, Layout) else style
        self.expected: Any = plain_of(root)

    def node(self, path: Path) -> YamlNode:
        """The node at ``path``."""
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
        """The plain value at ``path``."""
        try:
            return at_path(self.expected, path)
        except (KeyError, IndexError, TypeError):
            raise UnsafeEditError from None

    def in_brackets(self, path: Path) -> bool:
        """Whether the node at ``path``, or one around it, is in flow style (brackets or braces)."""
        nodes = (self.node(path[:end]) for end in range(len(path) + 1))
        return any(node.kind != "scalar" and node_edits.starts(self.text, node, "[{") for node in nodes)

    def set(self, path: Path, value: Any, keys: tuple[str, ...] = ()) -> None:
        """Set the value at ``path``; parts that both values share keep their text.

        Items of lists that have the same values of ``keys`` are the same items, wherever they stand.
        """
        node = self.node(path)
        if has_value(node, value):
            return
        is_alias = self.text[node.place.start : node.place.start + 1] == "*"
        if isinstance(value, list) and node.kind == "sequence" and node.items and not is_alias:
            self._set_list(path, value, keys)
        elif isinstance(value, dict) and node.kind == "mapping" and node.pairs and value and not is_alias:
            self._set_mapping(path, value, keys)
        elif node.kind == "scalar" and not isinstance(value, (list, dict)) and self._is_literal(node):
            self._apply(
                path, value, [node_edits.set_scalar(self.text, node, value, _key_of(path), self.style)]
            )
        else:
            self._replace(path, value)

    def insert_key(self, path: Path, key: str, value: Any, after: str | None) -> None:
        """Insert a key into the mapping at ``path`` after the key ``after``, first when that is None."""
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
        elif node_edits.starts(self.text, node, "{"):
            self._apply(path, new, [node_edits.insert_flow_pair(node, key, value, at, self.style)])
        else:
            self._apply(
                path, new, [node_edits.insert_block_pair(self.text, node, key, value, at, self.style)]
            )

    def remove_key(self, path: Path, key: str) -> None:
        """Remove a key of the mapping at ``path`` and its value."""
        node = self.node(path)
        new = {name: content for name, content in self.plain(path).items() if name != key}
        if not new:
            self._replace(path, new)
            return
        at = next(index for index, (pair, _value) in enumerate(node.pairs) if pair.text == key)
        self._apply(path, new, [node_edits.remove_pair(self.text, node, at)])

    def rename_key(self, path: Path, key: str, new_key: str) -> None:
        """Rename a key of the mapping at ``path``; its value stays."""
        old = self.plain(path)
        if new_key in old and new_key != key:
            raise UnsafeEditError
        written = self.node(path).key(key)
        if written is None:
            raise UnsafeEditError
        sign = self.text[written.place.start : written.place.start + 1]
        text = yaml_writer.scalar(new_key, sign) if sign in ("'", '"') else yaml_writer.name(new_key)
        new = {new_key if name == key else name: content for name, content in old.items()}
        self._apply(path, new, [TextEdit(written.place.start, written.place.end, text)])

    def put_key(
        self, path: Path, names: tuple[str, ...], value: Any, default: Any, order: tuple[str, ...]
    ) -> None:
        """Set a key of the mapping at ``path``; None removes it.

        ``names`` are the key and its aliases; the one in the text stays. A missing key is not written
        while ``value`` is its ``default``. ``order`` lists the keys of such a mapping, for a new key.
        """
        old = self.plain(path)
        if not isinstance(old, dict):
            raise UnsafeEditError
        written = next((name for name in names if name in old), None)
        if written is not None and value is None:
            self.remove_key(path, written)
        elif written is not None:
            self.set((*path, written), value)
        elif value is not None and not same(value, default):
            ahead = order[: order.index(names[0])] if names[0] in order else order
            before = [name for name in old if name in ahead or name in ("type", "id")]
            self.insert_key(path, names[0], value, before[-1] if before else None)

    def insert_item(self, path: Path, index: int, value: Any | RemovedItem) -> None:
        """Insert an item into the list at ``path`` before the item ``index``."""
        item = value if isinstance(value, RemovedItem) else RemovedItem(value)
        node = self.node(path)
        old = self.plain(path)
        if node.kind == "scalar" and old is None:
            old = []
        if not isinstance(old, list):
            raise UnsafeEditError
        index = max(0, min(index, len(old)))
        new = [*old[:index], item.value, *old[index:]]
        if not old:
            self._first_item(path, new, item)
        elif node_edits.starts(self.text, node, "["):
            body = yaml_writer.flow(item.value, self.style, _key_of(path))
            self._apply(path, new, [node_edits.insert_flow_item(self.text, node, index, body, self.style)])
        else:
            edit = block_lists.insertion(
                self.text, node, index, item.lines, item.value, self.style, _key_of(path)
            )
            self._apply(path, new, [edit])

    def remove_item(self, path: Path, index: int) -> RemovedItem:
        """Remove an item of the list at ``path`` and the comments directly above it."""
        node = self.node(path)
        old = self.plain(path)
        if not 0 <= index < len(node.items):
            raise UnsafeEditError
        new = [*old[:index], *old[index + 1 :]]
        item = self._item(path, index)
        if node_edits.starts(self.text, node, "["):
            self._apply(path, new, [node_edits.remove_flow_item(self.text, node, index)])
        elif new:
            self._apply(path, new, [block_lists.removal(self.text, node, index)])
        else:
            self._empty_list(path, node)
        return item

    def _item(self, path: Path, index: int) -> RemovedItem:
        """An item of the list at ``path``, with its lines when it has own ones."""
        node = self.node(path)
        has_lines = not node_edits.starts(self.text, node, "[")
        item_lines = block_lists.lines_of(self.text, node, index) if has_lines else ()
        return RemovedItem(self.plain(path)[index], item_lines)

    def nest(self, path: Path, key: str) -> None:
        """Replace the mapping at ``path`` by ``{key: [the mapping]}``."""
        new = {key: [self.plain(path)]}
        block = self._block_at(path)
        if block is None:
            self._replace(path, new)
            return
        start, end, column = block
        dash = column + self.style.dash
        block_lines = lines.shifted(self.text[start:end].splitlines(keepends=True), self.style.dash + 2)
        block_lines[0] = " " * dash + "- " + block_lines[0][dash + 2 :]
        head = " " * column + f"{key}:" + self.style.newline
        self._apply(path, new, [TextEdit(start, end, head + "".join(block_lines))])

    def nest_single(self, path: Path) -> None:
        """Replace the mapping at ``path`` by ``[the mapping]``."""
        new = [self.plain(path)]
        block = self._block_at(path)
        if block is None:
            self._replace(path, new)
            return
        start, end, column = block
        block_lines = lines.shifted(self.text[start:end].splitlines(keepends=True), 2)
        block_lines[0] = " " * column + "- " + block_lines[0][column + 2 :]
        self._apply(path, new, [TextEdit(start, end, "".join(block_lines))])

    def nest_list(self, path: Path, key: str) -> None:
        """Replace the list at ``path`` by ``{key: the list}``."""
        new = {key: self.plain(path)}
        block = self._block_at(path)
        if block is None or isinstance(path[-1], int):
            self._replace(path, new)
            return
        start, end, _column = block
        written = self.node(path[:-1]).key(str(path[-1]))
        column = lines.column(self.text, written.place.start if written else start) + self.style.step
        by = column + self.style.dash - block[2]
        block_lines = lines.shifted(self.text[start:end].splitlines(keepends=True), by)
        head = " " * column + f"{key}:" + self.style.newline
        self._apply(path, new, [TextEdit(start, end, head + "".join(block_lines))])

    def _block_at(self, path: Path) -> tuple[int, int, int] | None:
        """Start, end and column of a block under its key; None when the value has no lines of its own."""
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

    def _apply(self, path: Path, value: Any, edits: list[TextEdit]) -> None:
        """Make the edits. Raises UnsafeEditError unless they change exactly the value at ``path``."""
        expected = _with(self.expected, path, value)
        text = apply_edits(self.text, tuple(edits))
        root = self._read(text)
        if root is None or not same(plain_of(root), expected):
            raise UnsafeEditError
        self.text, self.root, self.expected = text, root, expected

    def _set_list(self, path: Path, value: list[Any], keys: tuple[str, ...]) -> None:
        matches = ListMatches(self.node(path), value, keys)
        moved = {to: self._item(path, at) for to, at in matches.moved.items()}
        for tag, i1, i2, j1, j2 in reversed(matches.opcodes):
            both = 0
            if tag == "equal":
                both = i2 - i1
            elif tag == "replace":
                both = matches.rewritten(i1, i2, j1, j2)
            for to in range(j2 - 1, j1 + both - 1, -1):
                self.insert_item(path, i2, moved.get(to, value[to]))
                self.set((*path, i2), value[to], keys)
            for at in range(i2 - 1, i1 + both - 1, -1):
                self.remove_item(path, at)
            for at in range(both):
                self.set((*path, i1 + at), value[j1 + at], keys)

    def _set_mapping(self, path: Path, value: dict[str, Any], keys: tuple[str, ...]) -> None:
        for key in [key for key in self.plain(path) if key in value]:
            self.set((*path, key), value[key], keys)
        last: str | None = None
        for key, content in value.items():
            if key not in self.plain(path):
                self.insert_key(
                    path, key, content, last if last is not None else _leading_key(self.plain(path))
                )
            last = key
        for key in [key for key in self.plain(path) if key not in value]:
            self.remove_key(path, key)

    def _replace(self, path: Path, value: Any) -> None:
        """Rewrite the whole value. Raises UnsafeEditError when a comment would be lost."""
        self._apply(path, value, block_lists.rewriting(self.text, self.root, path, value, self.style))

    def _empty_list(self, path: Path, node: YamlNode) -> None:
        if not path or isinstance(path[-1], int):
            self._replace(path, [])
            return
        key = self.node(path[:-1]).key(path[-1])
        if key is None:
            raise UnsafeEditError
        colon = self.text.index(":", key.place.end) + 1
        start, end = block_lists.extent(self.text, node, 0)
        self._apply(path, [], [TextEdit(colon, colon, " []"), TextEdit(start, end, "")])

    def _first_item(self, path: Path, new: list[Any], item: RemovedItem) -> None:
        flow = self.in_brackets(path[:-1]) or not path or isinstance(path[-1], int)
        if flow or not (item.lines or isinstance(item.value, dict)):
            self._replace(path, new)
            return
        item_lines = list(item.lines) or [
            line + self.style.newline for line in yaml_writer.item(item.value, 0, self.style, "")
        ]
        edits = block_lists.under_key(self.text, self.root, path, item_lines, self.style)
        self._apply(path, new, edits)

    def _is_literal(self, node: YamlNode) -> bool:
        """Whether a scalar has its own text, and neither an alias, an anchor nor a tag."""
        return self.text[node.place.start : node.place.start + 1] not in ("*", "&", "!")


def _with(root: Any, path: Path, value: Any) -> Any:
    if not path:
        return copy.deepcopy(value)
    new = copy.copy(root)
    new[path[0]] = _with(root[path[0]], path[1:], value)
    return new


def _key_of(path: Path) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _leading_key(plain: dict[str, Any]) -> str | None:
    """The type or id of a mapping, which stays in front of a new first key."""
    return next((key for key in plain if key in ("type", "id")), None)

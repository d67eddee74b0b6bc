"""Small edits of YAML text that change one value and leave every other character alone.

Each edit is read back: when the text does not come to exactly what was meant, it is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from collector.located_yaml.diagnostics import TextEdit, apply_edits
from collector.located_yaml.yaml_node import YamlNode
from rule_editor.document import block_lists, emit, lines, snippets
from rule_editor.document.errors import UnsafeEditError
from rule_editor.document.plain import as_written, at_path, plain_of, same
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
        return any(node.kind != "scalar" and snippets.starts(self.text, node, "[{") for node in nodes)

    def set(self, path: Path, value: Any) -> None:
        """The value at ``path`` becomes ``value``; what it keeps of the old one is left as it is written."""
        node = self.node(path)
        if as_written(node, value):
            return
        if isinstance(value, list) and node.kind == "sequence" and node.items and value:
            self._set_list(path, value)
        elif isinstance(value, dict) and node.kind == "mapping" and node.pairs and value:
            self._set_mapping(path, value)
        elif node.kind == "scalar" and not isinstance(value, (list, dict)) and self._visible(node):
            self._do(path, value, [snippets.scalar_edit(self.text, node, value, _key_of(path), self.style)])
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
        elif snippets.starts(self.text, node, "{"):
            self._do(path, new, [snippets.flow_key(node, key, value, at, self.style)])
        else:
            self._do(path, new, [snippets.block_key(self.text, node, key, value, at, self.style)])

    def remove_key(self, path: Path, key: str) -> None:
        """The key of the mapping at ``path`` goes, its value with it."""
        node = self.node(path)
        new = {name: one for name, one in self.plain(path).items() if name != key}
        if not new:
            self._replace(path, new)
            return
        at = next(index for index, (pair, _value) in enumerate(node.pairs) if pair.text == key)
        self._do(path, new, [snippets.without_pair(self.text, node, at)])

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
        elif snippets.starts(self.text, node, "["):
            body = emit.flow(cut.value, self.style, _key_of(path))
            self._do(path, new, [snippets.flow_item(self.text, node, index, body, self.style)])
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
        if snippets.starts(self.text, node, "["):
            self._do(path, new, [snippets.without_item(self.text, node, index)])
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
        for tag, i1, i2, j1, j2 in reversed(block_lists.difference(self.node(path), value, as_written)):
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

    def _visible(self, node: YamlNode) -> bool:
        """A scalar with text of its own, no alias and no anchor before it."""
        return self.text[node.place.start : node.place.start + 1] not in ("*", "&", "!")


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

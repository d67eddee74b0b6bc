"""JSON hierarchies in both forms (``children``; ``jsonHierarchy``, ``xmlHierarchy``), each with a
screenshot of its name.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import OF_PHONES, TRAJECTORIES, Format
from collector.exchange.source.extracted import extraction_folder, write_bytes
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, mappings, named_file, read_mapping, text
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.tree_builder import TreeBuilder
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.tree import Tree

_MARKS = b'"_type"', b'"rect"', b'"_id"'
_JSON, _XML = "jsonHierarchy", "xmlHierarchy"
_NAMES = {
    "_type": "class", "resourceId": "resource-id", "description": "content-desc",
    "longClickable": "long-clickable",
}  # fmt: skip
"""weditor's names of attributes -> uiautomator's, where they differ."""
_NO_ATTRIBUTES = ("_id", "rect", "children")
_SIDES = ("x", "y", "width", "height")


def _hierarchies(root: Path) -> Iterator[Path]:
    """JSON files with nodes of weditor's names."""
    return marked_files(root, "*.json", *_MARKS)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each folder: its states in the order of their names."""
    for folder, trees in groupby(_hierarchies(path), key=lambda tree: tree.parent):
        name = path.stem if path.is_file() else folder.name
        log.where = name
        log.add("no-actions", _("Hierarchies of weditor have no actions: the steps have states alone"))
        with extraction_folder() as extracted:
            steps = [_step(tree, extracted, log) for tree in trees]
            yield SourceTrajectory(name, Task(name, name), steps)


def _step(path: Path, extracted: Path, log: ExchangeLog) -> SourceStep:
    step = SourceStep(path.stem, named_file(f"{path.stem}.png", (path.parent,)))
    values = read_mapping(path, log)
    step.package, step.activity = text(values.get("packageName")), text(values.get("activity"))
    dump = values.get(_XML)
    if isinstance(dump, str) and dump.strip():
        step.tree = write_bytes(extracted, f"{path.stem}.xml", dump.encode("utf-8", "replace"))
    else:
        step.tree, step.convert = (
            path,
            functools.partial(_tree, path.name, mapping(values.get(_JSON, values))),
        )
    return step


def _tree(name: str, root: Mapping[str, Any]) -> Tree:
    """The tree of a node and what is below it. Raises HierarchyError when that is none."""
    if not mappings(root.get("children")) and "rect" not in root:
        raise HierarchyError(_("{name} has no tree", name=name))
    builder = TreeBuilder()
    waiting: list[tuple[str, Mapping[str, Any] | None]] = [("node", root)]
    if "_type" not in root:  # uiautomator's element around the nodes
        builder.start("hierarchy", {"rotation": text(root.get("rotation")) or "0"})
        waiting = _children(root)
    while waiting:
        tag, values = waiting.pop()
        if values is None:
            builder.end(tag)
            continue
        builder.start(tag, _attributes(values))
        waiting += [(tag, None), *_children(values)]
    return builder.finish("weditor", [])


def _children(values: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any] | None]]:
    """The children of a node, the first one last."""
    return [("node", child) for child in reversed(mappings(values.get("children")))]


def _attributes(values: Mapping[str, Any]) -> dict[str, str]:
    known = {_NAMES.get(key, key): value for key, value in values.items() if key not in _NO_ATTRIBUTES}
    found = {key: _written(value) for key, value in known.items()}
    rect = mapping(values.get("rect"))
    x, y, width, height = (rect.get(side) for side in _SIDES)
    if all(type(side) is int for side in (x, y, width, height)):
        found["bounds"] = f"[{x},{y}][{x + width},{y + height}]"  # type: ignore[operator]
    return found


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else text(value)


FORMAT = Format(
    id="weditor",
    title=N_("weditor hierarchies as JSON"),
    use=OF_PHONES,
    holds=(TRAJECTORIES,),
    files=N_("A JSON file for each state, and a screenshot with its name"),
    detect=recognised_by(_hierarchies, 0.9),
    read=read,
)

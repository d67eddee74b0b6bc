"""``view_tree.json``, Appium's page source by xmltodict, and a screenshot; one folder per state."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_PHONES, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, mappings, named_file, text
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.tree_builder import TreeBuilder
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.tree import Tree

TREE = "view_tree.json"
_ROOT = "hierarchy"


def _states(root: Path) -> Iterator[Path]:
    """Each ``view_tree.json`` with a hierarchy whose attributes are named as xmltodict does."""
    return marked_files(root, TREE, b'"hierarchy"', b'"@class"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each app: its states, in no order that the source would tell."""
    for app, trees in groupby(_states(path), key=lambda tree: tree.parent.parent):
        log.where = name = app.name if app.is_relative_to(path) else path.name
        log.add("no-actions", _("Page sources have no actions: the steps have states alone"))
        log.add("no-order", _("The source does not say in which order its screens came"), severity=NOTE)
        yield SourceTrajectory(name, Task(name, name), [_step(tree) for tree in trees])


def _step(tree: Path) -> SourceStep:
    shot = named_file("screenshot.png", (tree.parent,))
    return SourceStep(tree.parent.name, shot, tree, convert=functools.partial(_tree, tree))


def _tree(path: Path) -> Tree:
    """The tree of a file. Raises HierarchyError when it has none, ExchangeError when it is no JSON."""
    root = mapping(source_files.read_json(path)).get(_ROOT)
    if not isinstance(root, dict):
        raise HierarchyError(_("{name} has no tree", name=path.name))
    builder = TreeBuilder()
    builder.start(_ROOT, _attributes(root))
    waiting: list[tuple[str, Mapping[str, Any] | None]] = _children(root)
    while waiting:
        tag, values = waiting.pop()
        if values is None:
            builder.end(tag)
            continue
        builder.start("node", {"class": tag} | _attributes(values))
        waiting += [(tag, None), *_children(values)]
    return builder.finish("page-source", [])


def _attributes(values: Mapping[str, Any]) -> dict[str, str]:
    return {key[1:]: text(value) for key, value in values.items() if key.startswith("@")}


def _children(values: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any] | None]]:
    """The children of a node with their tags, the first one last."""
    found = [
        (tag, child)
        for tag, below in values.items()
        if not tag.startswith(("@", "#"))
        for child in mappings(below if isinstance(below, list) else [below])
    ]
    found.sort(key=_index, reverse=True)
    return list(found)


def _index(child: tuple[str, Mapping[str, Any]]) -> int:
    index = text(child[1].get("@index"))
    return int(index) if index.isdecimal() and len(index) < 9 else 0


FORMAT = Format(
    id="page-source-json",
    title=N_("Appium page sources as JSON (DroidFiller)"),
    use=OF_PHONES,
    holds=(TRAJECTORIES,),
    files=N_("A folder for each state: view_tree.json and screenshot.png"),
    detect=recognised_by(_states, 0.9),
    read=read,
)

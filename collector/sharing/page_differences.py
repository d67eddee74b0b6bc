"""What the page says of the difference between two screens at one slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector.hierarchy.captions import describe_node
from collector.hierarchy.diff import TreeDiff
from collector.model.tree import Node
from collector.replay.state_difference.picture_difference import PictureDifference
from collector.replay.state_difference.state_difference import StateDifference
from collector.sharing.page_json import cut
from collector.sharing.page_trees import rect_values

_MOST = 60
"""Nodes and texts of each kind that a page lists; it says how many more there are."""


def difference_of_screens(difference: StateDifference) -> dict[str, Any]:
    """App and activity, texts, nodes and pixels that differ; what could not be compared is left out."""
    values: dict[str, Any] = {
        "added_texts": list(map(cut, difference.added_texts[:_MOST])),
        "removed_texts": list(map(cut, difference.removed_texts[:_MOST])),
    }
    if difference.place is not None:
        values["place"] = list(map(cut, difference.place))
    if difference.tree is not None:
        values["tree"] = _tree(difference.tree)
    if difference.picture is not None:
        values["pixels"] = _pixels(difference.picture)
    return values


def _tree(tree: TreeDiff) -> dict[str, Any]:
    changed = [
        {**_node(change.after), "attributes": [[cut(name), *map(cut, pair)] for name, pair in pairs]}
        for change in tree.changed[:_MOST]
        for pairs in [change.attributes.items()]
    ]
    return {
        "added": _nodes(tree.added),
        "removed": _nodes(tree.removed),
        "changed": changed,
        "moved": len(tree.moved),
        "counts": [len(tree.added), len(tree.removed), len(tree.changed)],
    }


def _pixels(picture: PictureDifference) -> dict[str, Any]:
    return {
        "share": round(picture.share, 4),
        "regions": [rect_values(region) for region in picture.regions],
        "shift": list(picture.shift),
    }


def _nodes(nodes: Sequence[Node]) -> list[dict[str, Any]]:
    return [_node(node) for node in nodes[:_MOST]]


def _node(node: Node) -> dict[str, Any]:
    return {
        "class": cut(node.short_class or node.class_name),
        "id": cut(node.short_id),
        "words": cut(describe_node(node)),
        "bounds": rect_values(node.bounds),
    }

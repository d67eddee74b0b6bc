"""Parsing a dump and finding the node under the pointer, beside xml.etree and a walk over parsed bounds."""

from __future__ import annotations

import gc
import itertools
import random
import re
import time
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.spatial_index import SpatialIndex
from collector.host.malloc import limit_malloc
from collector.model.geometry import Point
from tests.benchmarks.budgets.table import Budget, Row, paired
from tests.helpers.dumps import large_dump

NODES = 2000
Box = tuple[int, int, int, int, int, ET.Element]
"""Left, top, right, bottom and area of an element."""
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")


def rows() -> Iterator[Row]:
    """Parse and index; hover."""
    # As in the window: it collects cycles when nobody waits, and keeps freed memory for the next dump.
    gc.disable()
    limit_malloc()
    dump = large_dump(NODES)
    mine, theirs = paired(
        lambda: SpatialIndex(parse_tree(dump)), lambda: ET.fromstring(dump), 200, clock=time.process_time
    )
    yield Row(
        "parse and index a dump of 2,000 nodes, CPU",
        mine,
        Budget("median", 8),
        "xml.etree, parse alone",
        theirs,
        f"{len(dump) >> 10} KB, exactly as uiautomator writes it",
    )
    index, boxes = SpatialIndex(parse_tree(dump)), boxes_of(ET.fromstring(dump))
    rng = random.Random(7)
    points = itertools.cycle([Point(rng.randrange(1080), rng.randrange(2400)) for _ in range(500)])
    others = itertools.cycle([Point(rng.randrange(1080), rng.randrange(2400)) for _ in range(500)])
    mine, theirs = paired(
        lambda: index.at(next(points)),
        lambda: smallest_at(boxes, next(others)),
        1000,
        clock=time.process_time,
    )
    yield Row(
        "hit test over 2,000 nodes, CPU", mine, Budget("p99", 0.2),
        "linear search over parsed bounds", theirs,
        "both have the bounds as numbers: the rival looks at each box, ours at those of the place",
    )  # fmt: skip


def boxes_of(root: ET.Element) -> list[Box]:
    """The bounds of all nodes as numbers, in document order."""
    boxes = []
    for element in root.iter("node"):
        match = _BOUNDS.match(element.get("bounds", ""))
        if match is not None:
            left, top, right, bottom = map(int, match.groups())
            boxes.append((left, top, right, bottom, (right - left) * (bottom - top), element))
    return boxes


def smallest_at(boxes: list[Box], point: Point) -> ET.Element | None:
    """The smallest element at a point; of equal ones the last."""
    best, smallest = None, 1 << 60
    x, y = point.x, point.y
    for left, top, right, bottom, area, element in boxes:
        if left <= x < right and top <= y < bottom and area <= smallest:
            best, smallest = element, area
    return best

"""Parsing a dump and finding the node under the pointer, beside xml.etree and a walk over all elements."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Point
from tests.benchmarks.budgets.table import Budget, Row, paired
from tests.helpers.dumps import large_dump

NODES = 2000
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")


def rows() -> Iterator[Row]:
    """Parse and index; hover."""
    dump = large_dump(NODES)
    mine, theirs = paired(lambda: SpatialIndex(parse_tree(dump)), lambda: ET.fromstring(dump), 200)
    yield Row(
        "parse and index a dump of 2,000 nodes",
        mine,
        Budget("median", 8),
        "xml.etree, parse alone",
        theirs,
        f"{len(dump) >> 10} KB, exactly as uiautomator writes it",
    )
    index, root = SpatialIndex(parse_tree(dump)), ET.fromstring(dump)
    rng = random.Random(7)
    points = itertools.cycle([Point(rng.randrange(1080), rng.randrange(2400)) for _ in range(500)])
    others = itertools.cycle([Point(rng.randrange(1080), rng.randrange(2400)) for _ in range(500)])
    mine, theirs = paired(lambda: index.at(next(points)), lambda: _smallest_at(root, next(others)), 1000)
    yield Row("hit test over 2,000 nodes", mine, Budget("p99", 0.2), "xml.etree, linear search", theirs)


def _smallest_at(root: ET.Element, point: Point) -> ET.Element | None:
    best, smallest = None, 1 << 60
    for element in root.iter("node"):
        match = _BOUNDS.match(element.get("bounds", ""))
        if match is None:
            continue
        left, top, right, bottom = map(int, match.groups())
        area = (right - left) * (bottom - top)
        if left <= point.x < right and top <= point.y < bottom and area <= smallest:
            best, smallest = element, area
    return best

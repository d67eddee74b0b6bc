"""Every dump somebody else's phone wrote opens, strict or repaired, and none is silently emptied."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.spatial_index import SpatialIndex

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


def _index() -> dict[str, dict[str, str]]:
    table = DATA / "dumps" / "INDEX.tsv"
    with table.open(encoding="utf-8", newline="") as file:
        return {f"dumps/{row['file']}": row for row in csv.DictReader(file, delimiter="\t")}


def _dumps() -> list[Path]:
    listed = {DATA / name for name in _index()}
    return sorted(listed | {*DATA.rglob("*.xml"), *DATA.rglob("*.uix")})


def _node_tags(raw: bytes) -> int:
    for encoding in ("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "gbk"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        return len(re.findall(r"<(?!/|\?|!|hierarchy)[A-Za-z]", text))
    raise AssertionError("neither UTF-16, UTF-8 nor GBK")


def test_every_shared_dump_opens_with_all_its_nodes() -> None:
    wrong: list[str] = []
    index = _index()
    paths = _dumps()
    assert len(paths) > 200
    for path in paths:
        name = str(path.relative_to(DATA))
        raw = path.read_bytes()
        tree = parse_tree(raw)
        row = index.get(name)
        if len(tree) != _node_tags(raw):
            wrong.append(f"{name}: {len(tree)} nodes read, {_node_tags(raw)} written")
        if row and row["strict_ok"] == "yes" and int(row["nodes"]) != len(tree):
            wrong.append(f"{name}: {len(tree)} nodes read, {row['nodes']} listed")
        if row and row["strict_ok"] != "yes" and not tree.repairs:
            wrong.append(f"{name}: mended without a word")
    assert not wrong, "\n".join(wrong)


def test_every_shared_list_of_views_opens_with_all_its_views() -> None:
    paths = sorted(DATA.rglob("*.vh"))
    assert paths
    for path in paths:
        tree = parse_tree(path.read_bytes())
        assert len(tree) == len(json.loads(path.read_bytes())), path
        assert tree.repairs == ()


def test_every_shared_dump_answers_a_hit_test_at_the_centre_of_each_leaf() -> None:
    for path in _dumps():
        tree = parse_tree(path.read_bytes())
        spatial = SpatialIndex(tree)
        for node in tree:
            if not node.children and node.bounds is not None and not node.bounds.is_empty:
                assert all(
                    hit.bounds.contains(node.bounds.center) for hit in spatial.stack(node.bounds.center)
                )

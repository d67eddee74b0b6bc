"""Each form has the keys that its tools read, and its numbers lead back to the box on the picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.model.action import Tap
from collector.model.dataset.split import Split, shares_of
from collector.model.task import Task
from collector.store.project.project import Project
from tests.helpers.taught import SCREEN, add_trajectory, dump, exported, new_project, node

FORMS = ("coco", "yolo", "label-studio", "labelme")
BUY, PIN = [10, 20, 60, 50], [10, 60, 110, 90]
TREE = dump(
    node(
        "Buy & <go>".replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
        "[10,20][60,50]",
        id="a:id/buy",
    ),
    node("1234", "[10,60][110,90]", "android.widget.EditText", password="true", id="a:id/pin"),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Two tasks with a trajectory each; one has a picture of half the size of its screen."""
    project = new_project(tmp_path_factory.mktemp("boxes") / "p", Task("t", "Do"), Task("u", "See"))
    add_trajectory(project, "g", [Tap(1, 1), None], trees={0: TREE, 1: TREE})
    add_trajectory(project, "same", [Tap(2, 2)], trees={0: TREE})  # the first picture again
    add_trajectory(
        project, "v", [Tap(1, 1), None], task="u", trees={0: TREE}, shade=90
    )  # its last has no tree
    return project


def boxes_of(form: str, folder: Path, side: str = "train") -> dict[str, dict[str, list[int]]]:
    """Picture -> class -> box in pixels, read back from a form; the whole window is left out."""
    found = {
        "coco": _coco, "yolo": _yolo, "label-studio": _label_studio, "labelme": _labelme,
    }[form](folder, side)  # fmt: skip
    for each in found.values():
        each.pop("FrameLayout", None)
    return found


def _coco(folder: Path, side: str) -> dict[str, dict[str, list[int]]]:
    values = json.loads((folder / "annotations" / f"instances_{side}.json").read_text("utf-8"))
    assert set(values) == {"info", "licenses", "images", "annotations", "categories"}
    names = {each["id"]: each["name"] for each in values["categories"]}
    assert len({each["id"] for each in values["annotations"]}) == len(values["annotations"])
    found: dict[str, dict[str, list[int]]] = {}
    for image in values["images"]:
        with Image.open(folder / "images" / image["file_name"]) as picture:
            assert picture.size == (image["width"], image["height"])
        found[Path(image["file_name"]).name] = own = {}
        for each in values["annotations"]:
            if each["image_id"] == image["id"]:
                x, y, width, height = each["bbox"]
                assert each["area"] == width * height
                assert each["iscrowd"] == 0
                own[names[each["category_id"]]] = [x, y, x + width, y + height]
                assert "1234" not in each["attributes"]["text"]
    return found


def _yolo(folder: Path, side: str) -> dict[str, dict[str, list[int]]]:
    data = yaml.safe_load((folder / "data.yaml").read_text("utf-8"))
    place = data[{"validation": "val"}.get(side, side)]
    found = {}
    for picture in (folder / place).iterdir():
        with Image.open(picture) as image:
            across, down = image.size
        label = folder / place.replace("images", "labels") / f"{picture.stem}.txt"
        found[picture.name] = own = {}
        for line in label.read_text("utf-8").splitlines():
            number, *shares = line.split()
            x, y, width, height = map(float, shares)
            assert all(0 <= float(share) <= 1 for share in shares)
            corners = (
                (x - width / 2) * across,
                (y - height / 2) * down,
                (x + width / 2) * across,
                (y + height / 2) * down,
            )
            own[data["names"][int(number)]] = [round(corner) for corner in corners]
    return found


def _label_studio(folder: Path, side: str) -> dict[str, dict[str, list[int]]]:
    config = ET.parse(folder / "config.xml")
    labels = {each.get("value") for each in config.iter("Label")}
    found = {}
    for task in json.loads((folder / f"{side}.json").read_text("utf-8")):
        address = task["data"]["image"]
        assert address.startswith("/data/local-files/?d=images/")
        assert (folder / address.partition("=")[2]).is_file()
        found[address.rpartition("/")[2]] = own = {}
        results: list[dict[str, Any]] = task["annotations"][0]["result"]
        texts = {each["id"]: each["value"]["text"] for each in results if each["type"] == "textarea"}
        assert list(texts.values()) == [["Buy & <go>"]]
        for each in results:
            if each["type"] == "rectanglelabels":
                value, across, down = each["value"], each["original_width"], each["original_height"]
                (name,) = value["rectanglelabels"]
                assert name in labels
                edges = value["x"], value["y"], value["x"] + value["width"], value["y"] + value["height"]
                sizes = (across, down, across, down)
                own[name] = [round(edge * full / 100) for edge, full in zip(edges, sizes, strict=True)]
    return found


def _labelme(folder: Path, side: str) -> dict[str, dict[str, list[int]]]:
    found = {}
    for file in (folder / side).glob("*.json"):
        values = json.loads(file.read_text("utf-8"))
        keys = {"version", "flags", "shapes", "imagePath", "imageData", "imageHeight", "imageWidth"}
        assert set(values) == keys
        assert (file.parent / values["imagePath"]).is_file()
        assert all(each["shape_type"] == "rectangle" for each in values["shapes"])
        found[values["imagePath"]] = {
            each["label"]: [*each["points"][0], *each["points"][1]] for each in values["shapes"]
        }
    return found


@pytest.mark.parametrize("form", FORMS)
def test_every_box_is_where_its_node_is_and_each_picture_is_there_once(
    project: Project, tmp_path: Path, form: str
) -> None:
    result = exported(project, form, tmp_path / "out")
    found = boxes_of(form, tmp_path / "out")
    assert list(found.values()) == [{"Button": BUY, "EditText": PIN}] * 3
    assert any(item.code == "no-boxes" for item in result.findings)
    assert not list((tmp_path / "out").rglob(".*"))
    assert not any(b"1234" in path.read_bytes() for path in (tmp_path / "out").rglob("*.json"))
    assert "| train | 3 | 3 |" in (tmp_path / "out" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("form", FORMS)
def test_sides_share_no_picture(project: Project, tmp_path: Path, form: str) -> None:
    export_project(project, form, tmp_path / "out", ExportChoice(split=Split(shares_of("0.5/0.5"))))
    sides = [set(boxes_of(form, tmp_path / "out", side)) for side in ("train", "test")]
    assert sorted(map(len, sides)) == [1, 2]
    assert not sides[0] & sides[1]


def test_a_picture_of_another_size_has_boxes_in_its_own_pixels(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p")
    folder = add_trajectory(project, "g", [Tap(1, 1)], trees={0: TREE})
    (picture,) = folder.rglob("*.png")
    with Image.open(picture) as image:
        half = image.resize((SCREEN.width // 2, SCREEN.height // 2))
    half.save(picture)
    exported(project, "coco", tmp_path / "out", classes="class", clickable=True)
    ((found),) = boxes_of("coco", tmp_path / "out").values()
    assert found == {"Button": [5, 10, 30, 25], "EditText": [5, 30, 55, 45]}


def test_one_class_for_all(project: Project, tmp_path: Path) -> None:
    exported(project, "yolo", tmp_path / "out", classes="one", leaf=True)
    assert yaml.safe_load((tmp_path / "out" / "data.yaml").read_text("utf-8"))["names"] == {0: "element"}

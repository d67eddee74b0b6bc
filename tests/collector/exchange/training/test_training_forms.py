"""Each form has the keys that its trainer documents, and the loaders that can be had read it."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest
from PIL import Image

from collector.cli.main import main
from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.exports.selection import Selection
from collector.model.action import Complete, OpenApp, Swipe, Tap, Type
from collector.model.dataset.split import Split, shares_of
from collector.model.geometry import Rect, Size
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.store.project.project import Project
from tests.helpers.late_import import late_import_or_skip
from tests.helpers.taught import (
    SCREEN,
    add_trajectory,
    answers,
    button,
    dump,
    exported,
    new_project,
    node,
    rows,
)

os.environ["HF_HUB_OFFLINE"] = "1"  # nothing is looked up: the files are here
datasets = late_import_or_skip("datasets", "the loader of the data sets is not installed")
pytest.importorskip("tqdm").tqdm.monitor_interval = 0  # no thread that looks after bars nobody sees
parquet = late_import_or_skip("pyarrow.parquet", "pyarrow is not installed")
BUY = Rect(10, 20, 60, 50)
TREE = dump(node("Buy", "[10,20][60,50]"), node("Sell", "[10,60][60,90]"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A golden trajectory and a failed run of one task, which part at the first step; and another task."""
    project = new_project(
        tmp_path_factory.mktemp("training") / "p", Task("t", "Buy it", package="a"), Task("u", "See it")
    )
    add_trajectory(
        project, "g", [Tap(30, 30), Type("two", 3), None], trees=dict.fromkeys(range(3), TREE),
        targets={0: button("Buy", BUY)}, thoughts=["I buy", ""],
    )  # fmt: skip
    add_trajectory(
        project, "r", [Tap(30, 70), Swipe(10, 200, 10, 100), Complete()], kind=RUN, status="failure",
        trees=dict.fromkeys(range(3), TREE), thoughts=["Down there"], shade=100,
    )  # fmt: skip
    add_trajectory(project, "v", [OpenApp("b", "B"), Swipe(5, 5, 50, 50), None], task="u", shade=200)
    return project


def size_of(picture: Path | io.BytesIO) -> tuple[int, int]:
    with Image.open(picture) as image:
        return image.size


def test_llama_factory_finds_its_columns_and_files(project: Project, tmp_path: Path) -> None:
    # data/README.md: sharegpt, columns and tags; as many <image> as images; ranking for preferences.
    exported(project, "llama-factory", tmp_path / "out", history_images=1)
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_text("utf-8"))["waymark_train"]
    assert info["formatting"] == "sharegpt"
    tags, columns = info["tags"], info["columns"]
    for row in rows(tmp_path / "out"):
        said = row[columns["messages"]]
        roles = [each[tags["role_tag"]] for each in said if each[tags["role_tag"]] != tags["system_tag"]]
        assert roles == [tags["user_tag"], tags["assistant_tag"]] * (len(roles) // 2)
        assert sum(each[tags["content_tag"]].count("<image>") for each in said) == len(row[columns["images"]])
        assert all(size_of(tmp_path / "out" / name) == (112, 252) for name in row[columns["images"]])
    exported(project, "llama-factory", tmp_path / "pairs", content="preferences")
    info = json.loads((tmp_path / "pairs" / "dataset_info.json").read_text("utf-8"))["waymark_train"]
    (row,) = rows(tmp_path / "pairs")
    assert info["ranking"] is True
    assert {info["columns"][name] for name in ("messages", "images", "chosen", "rejected")} == set(row)
    assert "[30, 35]" not in row["rejected"]["content"]
    assert row["chosen"]["role"] == row["rejected"]["role"] == "assistant"


def test_ms_swift_has_real_pixels_of_its_pictures(project: Project, tmp_path: Path) -> None:
    # Custom-dataset.md: <bbox> for each of objects.bbox; two numbers are a point; image_id names its picture.
    exported(
        project, "ms-swift", tmp_path / "out", pictures="recorded", history_images=2, image_max_pixels=9000
    )
    exported(project, "llama-factory", tmp_path / "plain", history_images=2, image_max_pixels=9000)
    seen = 0
    for row, plain in zip(rows(tmp_path / "out"), rows(tmp_path / "plain"), strict=True):
        objects, texts = row["objects"], [each["content"] for each in row["messages"]]
        assert objects["bbox_type"] == "real"
        assert "".join(texts).count("<bbox>") == len(objects["bbox"]) == len(objects["image_id"])
        for place, number in zip(objects["bbox"], objects["image_id"], strict=True):
            size, shown = (
                size_of(folder / each["images"][number])
                for folder, each in ((tmp_path / "out", row), (tmp_path / "plain", plain))
            )
            assert size == (SCREEN.width, SCREEN.height)
            drawn = [round(place[axis] * shown[axis] / size[axis]) for axis in (0, 1)]
            texts = [text.replace("<bbox>", str(drawn), 1) if "<bbox>" in text and not seen_in(texts, text)
                     else text for text in texts]  # fmt: skip
            seen += 1
        assert texts == [each["content"] for each in plain["messages"]]
    assert seen >= 4


def seen_in(texts: list[str], text: str) -> bool:
    """Whether an earlier text has a place that is not drawn yet."""
    return next(each for each in texts if "<bbox>" in each) is not text


def test_places_stay_in_the_text_where_swift_does_not_write_them_so(project: Project, tmp_path: Path) -> None:
    result = exported(project, "ms-swift", tmp_path / "out", dialect="autoglm")
    assert any(item.code == "places-written" for item in result.findings)
    assert all("objects" not in row for row in rows(tmp_path / "out"))
    assert "element=[" in answers(rows(tmp_path / "out")[0])[-1]


def test_verl_and_easyr1_have_their_columns(project: Project, tmp_path: Path) -> None:
    # verl: examples/data_preprocess/geo3k.py and multiturn_sft_dataset.py; EasyR1: problem, images, answer.
    exported(project, "verl", tmp_path / "verl")
    first, *_rest = parquet.read_table(tmp_path / "verl" / "train.parquet").to_pylist()
    assert set(first) == {"data_source", "prompt", "images", "ability", "reward_model", "extra_info"}
    assert first["reward_model"]["style"] == "rule"
    assert json.loads(first["extra_info"]["action"])["kind"] == "tap"
    assert first["extra_info"]["target"] == [10, 20, 60, 50]
    assert [each["role"] for each in first["prompt"]] == ["system", "user"]
    assert "".join(each["content"] for each in first["prompt"]).count("<image>") == len(first["images"]) == 1
    assert size_of(io.BytesIO(first["images"][0]["bytes"])) == (112, 252)
    exported(project, "verl", tmp_path / "sft", rows="supervised", content="trajectories")
    whole, *_rest = parquet.read_table(tmp_path / "sft" / "train.parquet").to_pylist()
    assert [each["role"] for each in whole["messages"]] == ["system", *["user", "assistant"] * 3]
    exported(project, "easyr1", tmp_path / "r1")
    row, *_rest = parquet.read_table(tmp_path / "r1" / "train.parquet").to_pylist()
    assert row["problem"].count("<image>") == len(row["images"])
    assert row["answer"] == first["reward_model"]["ground_truth"]


def test_datasets_loads_every_config_and_row_by_row(project: Project, tmp_path: Path) -> None:
    datasets.disable_progress_bars()
    contents = ["steps", "trajectories", "grounding", "preferences"]
    exported(project, "hf-datasets", tmp_path / "out", content=contents, license="cc-by-4.0")
    assert datasets.get_dataset_config_names(str(tmp_path / "out")) == contents
    loaded = {
        name: datasets.load_dataset(str(tmp_path / "out"), name, cache_dir=str(tmp_path / "cache"))["train"]
        for name in contents
    }
    assert {name: len(each) for name, each in loaded.items()} == {
        "steps": 9, "trajectories": 3, "grounding": 7 + 6, "preferences": 1,
    }  # fmt: skip
    features = loaded["steps"].features
    assert isinstance(features["images"].feature, datasets.Image)
    assert loaded["steps"][0]["images"][0].size == (112, 252)
    pair = loaded["preferences"][0]
    assert set(pair) >= {"prompt", "chosen", "rejected", "images"}
    parts = [part for each in pair["prompt"] for part in each["content"]]
    assert [part["type"] for part in parts].count("image") == len(pair["images"]) == 1
    streamed = datasets.load_dataset(str(tmp_path / "out"), "steps", streaming=True, split="train")
    assert next(iter(streamed))["task"] == "t"
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert card.startswith("---\nlicense: cc-by-4.0\n")
    assert "| steps | train | 9 | 3 | 2 |" in card


def test_trl_loads_as_conversations(project: Project, tmp_path: Path) -> None:
    datasets.disable_progress_bars()
    exported(project, "trl", tmp_path / "out")
    loaded = datasets.load_dataset(
        "json", data_files=str(tmp_path / "out" / "train.jsonl"), cache_dir=str(tmp_path / "cache")
    )["train"]
    for row in loaded:
        parts = [part for each in row["messages"] for part in each["content"]]
        assert [part["type"] for part in parts].count("image") == len(row["images"])
        assert all((part["text"] is None) == (part["type"] == "image") for part in parts)


def test_sides_are_one_export_and_share_neither_trajectory_nor_screen(
    project: Project, tmp_path: Path
) -> None:
    choice = ExportChoice(split=Split(shares_of("0.5/0.5")), options={"license": ""})
    export_project(project, "llama-factory", tmp_path / "out", choice)
    sides = {side: rows(tmp_path / "out", side) for side in ("train", "test")}
    shown = {side: {name for row in each for name in row["images"]} for side, each in sides.items()}
    assert all(shown.values())
    assert not shown["train"] & shown["test"]
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_text("utf-8"))
    assert set(info) == {"waymark_train", "waymark_test"}
    again = ExportChoice(split=choice.split, replace=True)
    export_project(project, "llama-factory", tmp_path / "out", again)
    assert rows(tmp_path / "out", "test") == sides["test"]


def test_a_side_without_samples_has_no_file_and_is_named(tmp_path: Path) -> None:
    datasets.disable_progress_bars()
    project = new_project(tmp_path / "p", Task("t", "Do it"), Task("u", "See it"))
    add_trajectory(project, "g", [Tap(1, 1)])
    add_trajectory(project, "v", [Type(redacted=True)], task="u", shade=50)
    choice = ExportChoice(split=Split(shares_of("0.5/0.5")))
    result = export_project(project, "hf-datasets", tmp_path / "out", choice)
    assert any(item.code == "no-samples" for item in result.findings)
    loaded = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))
    assert [len(each) for each in loaded.values()] in ([1], [2])


def test_the_command_line_names_options_and_a_missing_package(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["project", "export", "verl", str(tmp_path / "out"), "--project", str(project.folder)]
    assert main([*words, "-o", "dialect=qwen9"]) == 1
    assert "is no choice of dialect" in capsys.readouterr().err
    assert main([*words, "-o", "prompt=nowhere"]) == 1
    assert "The prompt nowhere cannot be used" in capsys.readouterr().err
    monkeypatch.setattr("collector.exchange.format.find_spec", lambda name: None)
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "needs the package pyarrow" in said
    assert "waymark-studio[training]" in said
    assert not (tmp_path / "out").exists()


def test_a_selection_learns_from_what_it_chooses(project: Project, tmp_path: Path) -> None:
    choice = ExportChoice(Selection(kinds=("golden",)))
    result = export_project(project, "llama-factory", tmp_path / "out", choice)
    assert len(rows(tmp_path / "out")) == 6
    assert not [item for item in result.findings if item.code == "failed-run"]
    whole = export_project(project, "llama-factory", tmp_path / "all")
    (note,) = [item for item in whole.findings if item.code == "failed-run"]
    assert "1 run that did not do its task is learnt from" in note.what


def test_pictures_are_copied_as_recorded_or_shown_as_the_model_sees_them(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p")
    add_trajectory(project, "g", [Tap(5, 5)], size=Size(112, 252))
    add_trajectory(project, "h", [Tap(5, 5)], size=Size(120, 260), width=60, shade=9)
    recorded = {path.read_bytes() for path in (tmp_path / "p").rglob("*.png")}
    for pictures, copied in (("shown", 1), ("recorded", 1)):
        exported(project, "trl", tmp_path / pictures, pictures=pictures)
        written = [path.read_bytes() for path in (tmp_path / pictures / "pictures").iterdir()]
        assert sum(data in recorded for data in written) == copied  # the other is not of its screen's size

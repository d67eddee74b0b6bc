"""Before an export or an import anything is written, it says what is lost, how much it is, and a sample."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.export_preview import preview_export
from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.exports.selection import Selection
from collector.exchange.format import TRAJECTORIES, Format
from collector.exchange.imports.import_preview import preview_import
from collector.exchange.registry import formats
from collector.model.action import Tap, Type
from collector.model.geometry import Rect, Size
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task
from tests.helpers.taught import add_trajectory, dump, new_project, node

LOGIN = (
    b'<hierarchy rotation="0"><node class="android.widget.EditText" focused="true" password="true"'
    b' bounds="[0,0][4,8]" text="" /></hierarchy>'
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Three golden trajectories; the last types a password."""
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task(f"t{number}", f"Do {number}", note="n") for number in range(3)])
    for number in range(3):
        with project.new_trajectory(TrajectoryHeader("g", f"t{number}", GOLDEN)) as writer:
            writer.append(step(0, Tap(2, 3), intention="Open it"), png(10, 20), xml("Home"))
            typed = Type("hunter22", 8) if number == 2 else Tap(1, 1)
            writer.append(step(1, typed, target=None), png(10, 20, 9), LOGIN)
            writer.finish()
    return project


def test_an_export_is_looked_at_before_anything_is_written(project: Project, tmp_path: Path) -> None:
    def files() -> list[Path]:
        return [path for path in sorted(tmp_path.rglob("*")) if ".cache" not in path.parts]

    before = files()
    found = preview_export(project, "aitk", ExportChoice())
    assert (found.trajectories, found.tasks, found.checked, found.has_passwords) == (3, 3, 3, True)
    sample = found.sample
    assert sample is not None
    assert next(message.text for message in sample.messages) == "Do 0"
    assert (sample.action, sample.picture) == (Tap(2, 3), png(10, 20))
    assert files() == before
    assert not list(project.paths.preview_folder.iterdir())
    written = export_project(project, "aitk", tmp_path / "out", ExportChoice(passwords=True))
    assert set(found.findings) == set(written.findings)
    size = sum(path.stat().st_size for path in written.path.rglob("*") if path.is_file())
    assert found.size == size
    few = preview_export(project, "aitk", ExportChoice(), most=1)
    assert (few.trajectories, few.checked, few.has_passwords) == (3, 1, False)
    assert size / 2 < few.size < size * 2
    one = preview_export(project, "aitk", ExportChoice(Selection(tasks=("t1",))))
    assert (one.trajectories, one.tasks) == (1, 1)
    with pytest.raises(ExchangeError, match="No trajectory fits"):
        preview_export(project, "aitk", ExportChoice(Selection(agents=("nobody",))))


@pytest.mark.parametrize(
    ("format_id", "who"), [("aitk-tasks", "Task t0"), ("probench-tasks", "Task t0"), ("adb-shell", "g.sh")]
)
def test_every_kind_of_format_has_a_sample(project: Project, format_id: str, who: str) -> None:
    found = preview_export(project, format_id, ExportChoice(), most=1)
    assert found.is_all == ("tasks" in format_id)
    assert found.sample is not None
    assert found.sample.messages[0].who == who


def test_messages_and_pictures_of_a_chat_are_the_sample(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images/1.png").write_bytes(png())
    chat = [
        {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Tap it"}]},
        {"role": "assistant", "content": "click(1, 2)"},
    ]
    line = {"messages": chat, "images": ["../outside.png", "images/1.png"]}
    (tmp_path / "train.jsonl").write_text(json.dumps(line) + "\n{}\n", "utf-8")
    (tmp_path.parent / "outside.png").write_bytes(b"not ours")
    chats = Format(id="chats", title="Chats", holds=(TRAJECTORIES,), files="a line a sample")
    sample = chats.first_sample(tmp_path)
    assert sample is not None
    assert [(message.who, message.text) for message in sample.messages] == [
        ("user", "<image>\nTap it"),
        ("assistant", "click(1, 2)"),
    ]
    assert sample.picture == png()
    (tmp_path / "train.jsonl").write_text("[1", "utf-8")
    broken = chats.first_sample(tmp_path)
    assert broken is not None
    assert broken.messages[0].text == "[1"


def test_an_import_is_looked_at_before_the_project_changes(project: Project, tmp_path: Path) -> None:
    source = export_project(project, "aitk", tmp_path / "out", ExportChoice(passwords=True)).path
    (source / "notes.odd").write_text("x", "utf-8")
    target = Project.create(tmp_path / "q")
    found = preview_import(target, source)
    assert (found.format.id, found.trajectories, found.tasks, found.is_all) == ("aitk", 3, 3, True)
    assert found.recognised[0][0].id == "aitk"
    assert any("notes.odd" in finding.what for finding in found.losses)
    assert found.sample is not None
    assert found.sample.action == Tap(2, 3)
    assert found.size == sum(path.stat().st_size for path in source.rglob("*") if path.is_file())
    few = preview_import(target, source, most=2)
    assert not few.is_all
    assert not any("notes.odd" in finding.what for finding in few.findings)
    assert preview_import(target, source, "plain").format.id == "plain"
    assert Project.open(target.folder).tasks == ()
    assert not list(target.trajectory_folders())
    with pytest.raises(ExchangeError, match="Waymark's own"):
        preview_import(target, project.folder)


@pytest.mark.parametrize("format_id", ["llama-factory", "trl", "ms-swift", "hf-datasets", "verl", "easyr1"])
def test_the_action_of_a_sample_to_train_with_is_read_in_its_dialect(
    project: Project, format_id: str
) -> None:
    if formats().kinds[format_id].missing:
        pytest.skip("it needs pyarrow")
    found = preview_export(project, format_id, ExportChoice(), most=1)
    assert not found.has_passwords
    assert found.sample is not None
    assert any("Do 0" in message.text for message in found.sample.messages)
    assert found.sample.picture is not None
    assert isinstance(found.sample.action, Tap)


@pytest.mark.parametrize("dialect", ["qwen2.5-vl", "qwen3-vl", "ui-tars", "gemini-points"])
@pytest.mark.parametrize("pictures", ["shown", "recorded"])
def test_the_action_of_a_sample_is_where_it_was_done(tmp_path: Path, dialect: str, pictures: str) -> None:
    project = new_project(tmp_path / "p")
    add_trajectory(project, "g", [Tap(700, 1900)], size=Size(1080, 2340))
    for format_id in ("llama-factory", "ms-swift"):
        options = {"dialect": dialect, "pictures": pictures}
        found = preview_export(project, format_id, ExportChoice(options=options)).sample
        assert found is not None
        assert found.picture is not None
        with Image.open(io.BytesIO(found.picture)) as image:
            width, height = image.size
        assert (width, height) == (1080, 2340) or pictures == "shown"
        assert isinstance(found.action, Tap)
        assert abs(found.action.x / width - 700 / 1080) < 0.002
        assert abs(found.action.y / height - 1900 / 2340) < 0.002


@pytest.mark.parametrize("dialect", ["qwen2.5-vl", "gemini-points"])
@pytest.mark.parametrize("format_id", ["llama-factory", "ms-swift"])
def test_the_box_of_a_question_is_around_its_element(tmp_path: Path, format_id: str, dialect: str) -> None:
    project = new_project(tmp_path / "p")
    add_trajectory(project, "g", [Tap(1, 1)], trees={0: dump(node("Buy", "[12,26][60,52]"))})
    options = {"dialect": dialect, "content": "grounding", "pictures": "recorded"}
    found = preview_export(project, format_id, ExportChoice(options=options)).sample
    assert found is not None
    assert found.action is None
    (box,) = found.boxes
    pairs = zip((box.left, box.top, box.right, box.bottom), (12, 26, 60, 52), strict=True)
    assert all(abs(one - other) <= 1 for one, other in pairs)


@pytest.mark.parametrize("format_id", ["coco", "yolo", "label-studio", "labelme"])
def test_boxes_are_on_their_picture(tmp_path: Path, format_id: str) -> None:
    project = new_project(tmp_path / "p")
    add_trajectory(project, "g", [Tap(1, 1)], trees={0: dump(node("Buy", "[12,26][60,52]"))})
    found = preview_export(project, format_id, ExportChoice(options={"leaf": True})).sample
    assert found is not None
    assert found.picture is not None
    assert found.boxes == (Rect(12, 26, 60, 52),)
    assert found.messages[0].who == "1 box"
    assert found.messages[0].text == ("Button" if format_id == "yolo" else "Button: Buy")


def test_the_sample_of_a_log_of_inspect_has_its_first_action_on_its_screen(project: Project) -> None:
    found = preview_export(project, "inspect", ExportChoice(), most=1).sample
    assert found is not None
    assert found.messages[0].text == "Do 0"
    assert (found.action, found.picture) == (Tap(2, 3), png(10, 20))


def test_a_project_with_anomalies_and_redaction_rules_of_its_own_is_imported_into(
    project: Project, tmp_path: Path
) -> None:
    for file, text in ((project.paths.library, "interference_library: []\n"), (project.paths.redaction, "")):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    source = tmp_path / "source" / "gift-card"
    source.mkdir(parents=True)
    (source / "screen_0.png").write_bytes(png())
    (source / "screen_0.xml").write_bytes(b'<hierarchy><node bounds="[0,0][4,8]"/></hierarchy>')
    assert preview_import(project, source.parent).trajectories == 1


def test_tasks_that_are_all_left_out_are_not_counted(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "project", "Without targets")
    put_task(project, Task("t1", "Add milk", "To-do", "com.waymark.todo"))
    found = preview_export(project, "openapps", ExportChoice())
    assert found.summary == "0 tasks"
    assert [finding.code for finding in found.findings if finding.where == "t1"] == ["task-left-out"]

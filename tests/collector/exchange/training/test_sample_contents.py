"""What a sample says: thoughts, history, where an element is, what is better; and what is in none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.registry import DIALECTS
from collector.model.action import Complete, Key, OpenApp, Scroll, Tap, Type
from collector.model.geometry import Point, Rect, Size
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import PERSON, STEP, Judgement, Subject
from collector.review.reviewing import Reviewing
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.taught import add_trajectory, answers, button, dump, exported, new_project, node, rows

BUY = Rect(10, 20, 60, 50)
TREE = dump(node("Buy", "[10,20][60,50]"), node("Sell", "[10,60][60,90]"))
MOVED = dump(node("Buy", "[40,120][90,150]"), node("Sell", "[10,60][60,90]"))


def project_of(tmp_path: Path) -> Project:
    return new_project(tmp_path / "p", Task("t", "Buy it", package="a"))


def test_thoughts_and_history_are_written_as_asked(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    add_trajectory(project, "r", [Tap(1, 2), Tap(3, 4), Tap(5, 6)], kind=RUN, status="success",
                   thoughts=["First", "Then", ""])  # fmt: skip
    told = {}
    for thoughts in ("said", "described", "none"):
        exported(project, "llama-factory", tmp_path / thoughts, dialect="ui-tars-1.5", thoughts=thoughts,
                 history_images=0, history=1)  # fmt: skip
        told[thoughts] = rows(tmp_path / thoughts)
    firsts = {name: [answers(row)[-1].split("\n")[0] for row in each] for name, each in told.items()}
    assert firsts["said"][:2] == ["Thought: First", "Thought: Then"]
    assert firsts["said"][2].startswith("Action: ")
    assert firsts["described"] == ["Thought: First", "Thought: Then", "Thought: Do 2"]
    assert all(line.startswith("Action: ") for line in firsts["none"])
    last = told["said"][2]["messages"][0]["content"]
    assert "Step 2: Then Action: click" in last
    assert "Step 1: First" not in last


def test_an_agent_learns_what_it_will_be_shown(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    add_trajectory(project, "g", [Tap(30, 30), None], trees={0: TREE, 1: TREE})
    exported(project, "llama-factory", tmp_path / "out", sees="screenshot+tree", dialect="qwen3-vl")
    said = rows(tmp_path / "out")[0]["messages"][1]["content"]
    assert '[0] Button "Buy" id=Buy at (292, 135)' in said
    exported(project, "llama-factory", tmp_path / "t3a", dialect="t3a")
    (t3a, _last) = rows(tmp_path / "t3a")
    assert t3a["images"] == []
    assert '"Sell"' in t3a["messages"][1]["content"]
    exported(project, "llama-factory", tmp_path / "tree", sees="tree", content="trajectories")
    (row,) = rows(tmp_path / "tree")
    assert row["images"] == []
    assert [each["role"] for each in row["messages"]] == ["system", *["user", "assistant"] * 2]
    assert all('"Sell"' in each["content"] for each in row["messages"] if each["role"] == "user")


def test_passwords_are_in_no_sample(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    field = dump(node("", "[10,20][60,50]", "android.widget.EditText", password="true"))
    typed = button("", BUY)
    typed.attributes["password"] = "true"  # type: ignore[index]
    add_trajectory(project, "g", [Type("hunter2", 7), Type("plain", 5), None], trees={0: field, 1: TREE},
                   targets={0: typed})  # fmt: skip
    result = exported(project, "llama-factory", tmp_path / "out", sees="screenshot+tree", history=-1)
    assert [(item.code, item.steps) for item in result.losses] == [("hidden-text", ("1",))]
    assert len(rows(tmp_path / "out")) == 2
    for path in (tmp_path / "out").rglob("*.*"):
        assert b"hunter2" not in path.read_bytes()
    whole = exported(project, "llama-factory", tmp_path / "whole", content="trajectories")
    assert {item.code for item in whole.losses} == {"hidden-text", "trajectory-unlearnable"}
    assert rows(tmp_path / "whole") == []


@pytest.mark.parametrize("form", ["llama-factory", "ms-swift"])
def test_words_of_the_phone_name_no_picture_and_no_place(tmp_path: Path, form: str) -> None:
    marks = "<image> <bbox> <|image_pad|>"
    project = new_project(tmp_path / "p", Task("t", f"Say {marks}", package="a"))
    add_trajectory(project, "g", [Tap(3, 3), Type(marks, len(marks)), None], thoughts=[marks, ""])
    result = exported(project, form, tmp_path / "out", history=-1)
    assert [(item.code, item.steps) for item in result.losses] == [("answer-misread", ("2",))]
    for row in rows(tmp_path / "out"):
        text = json.dumps(row["messages"])
        assert text.count("<image>") == len(row["images"])
        assert text.count("<bbox>") == len(row.get("objects", {}).get("bbox", ()))
        assert "< image> < bbox> < |image_pad|>" in text


def test_a_recording_of_a_stranger_harms_no_export(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    folder = add_trajectory(project, "g", [Tap(3, 3), Scroll(1, 1), Tap(5, 5), Tap(7, 7), None],
                            trees={0: TREE, 2: b"<no tree", 3: TREE})  # fmt: skip
    steps = folder / "steps.jsonl"
    text = steps.read_text("utf-8").replace('"x":3', '"x":"$(touch hacked)"').replace('"down"', '"sideways"')
    steps.write_text(text.replace('"x":5', '"x":99999'), "utf-8")
    (folder / "states" / "0003.png").write_bytes(b"\x89PNG\r\n\x1a\nno picture")
    result = exported(project, "llama-factory", tmp_path / "out", sees="screenshot+tree")
    found = {(item.code, item.steps) for item in result.losses}
    assert ("action-unreadable", ("1", "2")) in found
    assert ("answer-misread", ("3",)) in found
    assert ("no-picture", ("4",)) in found
    assert len(rows(tmp_path / "out")) == 1  # the end
    for form in ("coco", "trl"):
        exported(project, form, tmp_path / form, **({"content": "grounding"} if form == "trl" else {}))


# -- where an element is -----------------------------------------------------
@pytest.mark.parametrize("name", ["qwen2.5-vl", "qwen3-vl", "ui-tars", "gemini-points", "dgara"])
def test_a_box_is_drawn_back_to_the_rounding_of_its_coordinates(tmp_path: Path, name: str) -> None:
    project = project_of(tmp_path)
    add_trajectory(project, "g", [Tap(30, 30)], trees={0: TREE}, targets={0: button("Buy", BUY)},
                   thoughts=["Buy the poster"])  # fmt: skip
    exported(project, "llama-factory", tmp_path / "out", content="grounding", dialect=name)
    found = {row["messages"][0]["content"].split("\n")[1].partition(": ")[2]: json.loads(answers(row)[0])
             for row in rows(tmp_path / "out")}  # fmt: skip
    assert set(found) == {"Buy", "Sell", "Buy the poster"}
    dialect, size = DIALECTS[name], Size(120, 260)
    screen = AgentScreen(size, dialect.image_size(size))
    width, height = dialect.space.extent(screen)
    numbers = found["Buy the poster"]
    corners = [numbers[:2], numbers[2:]] if not dialect.y_first else [numbers[1::-1], numbers[:1:-1]]
    for (x, y), corner in zip(corners, (Point(10, 20), Point(60, 50)), strict=True):
        assert abs(x * size.width / width - corner.x) <= max(1, size.width / width)
        assert abs(y * size.height / height - corner.y) <= max(1, size.height / height)
    exported(
        project, "llama-factory", tmp_path / "tap", content="grounding", dialect=name, grounding_answer="tap"
    )
    tap = dialect.read(answers(rows(tmp_path / "tap")[0])[0], screen).predicted
    assert isinstance(tap, Tap)
    assert BUY.contains(Point(tap.x, tap.y))


def test_a_caption_that_two_elements_have_is_no_question(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    twice = dump(node("Buy", "[10,20][60,50]"), node("Buy", "[10,60][60,90]"), node("One", "[0,100][50,130]"))
    add_trajectory(project, "g", [Tap(70, 200), Tap(70, 201)], trees={0: twice, 1: twice})
    exported(project, "ms-swift", tmp_path / "out", content="grounding", pictures="recorded")
    first, *_rest = rows(tmp_path / "out")
    assert "<ref-object>" in first["messages"][0]["content"]
    assert first["objects"] == {
        "ref": ["One"], "bbox": [[0, 100, 50, 130]], "bbox_type": "real", "image_id": [0],
    }  # fmt: skip
    assert answers(first) == ["<bbox>"]
    assert len(rows(tmp_path / "out")) == 2  # once for each picture


# -- better and worse --------------------------------------------------------
def chosen_and_rejected(folder: Path) -> list[tuple[str, str]]:
    return [(row["chosen"]["content"], row["rejected"]["content"]) for row in rows(folder)]


def test_the_golden_action_is_better_where_a_failed_run_parts(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    add_trajectory(project, "old", [Tap(1, 1), None], trees={0: TREE, 1: TREE}, started="2026-01-01")
    add_trajectory(project, "g", [Tap(30, 30), None], trees={0: TREE, 1: TREE}, started="2026-02-01",
                   targets={0: button("Buy", BUY)})  # fmt: skip
    moved = {0: MOVED, 1: MOVED}
    for name, status in (("lost", "failure"), ("won", "success")):
        add_trajectory(
            project, name, [Tap(20, 70), Complete()], kind=RUN, status=status, trees=moved, shade=90
        )
    exported(project, "llama-factory", tmp_path / "out", content="preferences", dialect="android-world")
    ((better, worse),) = chosen_and_rejected(tmp_path / "out")
    screen = AgentScreen(Size(120, 260))
    read = DIALECTS["android-world"].read
    # The element that the golden trajectory touched lies elsewhere in the run.
    assert read(better, screen).predicted == Tap(60, 130)
    assert read(worse, screen).predicted == Tap(20, 70)


def test_a_step_that_a_person_called_wrong_gives_a_preference(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    trees = {0: TREE, 1: TREE}
    add_trajectory(project, "g", [Tap(30, 30), None], trees=trees, targets={0: button("Buy", BUY)})
    folder = add_trajectory(
        project, "won", [Tap(20, 70), Complete()], kind=RUN, status="success", trees=trees
    )
    exported(project, "trl", tmp_path / "before", content="preferences")
    assert rows(tmp_path / "before") == []
    add_judgements(folder, [Judgement("ann", PERSON, "", Subject(STEP, "", 0, 0), "wrong_element")])
    exported(project, "trl", tmp_path / "out", content="preferences")
    assert len(rows(tmp_path / "out")) == 1
    settled = Judgement("sue", PERSON, "", Subject(STEP, "", 0, 0), "right", settles=True)
    add_judgements(folder, [settled])
    exported(project, "trl", tmp_path / "settled", content="preferences")
    assert rows(tmp_path / "settled") == []


def test_what_a_reviewer_says_is_better_is_the_better_answer_without_a_golden(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    folder = add_trajectory(
        project, "won", [Tap(20, 70), Complete()], kind=RUN, status="success", trees={0: TREE, 1: TREE}
    )
    for who, better in (("ann", Tap(30, 30)), ("ben", Key("back")), ("cleo", Tap(30, 30))):
        Reviewing(project, who).judge_step(folder, 0, "wrong_element", better)
    add_judgements(folder, [Judgement("eve", PERSON, "", Subject(STEP, "", 1, 1), "needless",
                                      better={"kind": "fly"})])  # fmt: skip
    exported(project, "llama-factory", tmp_path / "out", content="preferences", dialect="android-world")
    screen, read = AgentScreen(Size(120, 260)), DIALECTS["android-world"].read
    pairs = chosen_and_rejected(tmp_path / "out")
    assert [read(better, screen).predicted for better, _worse in pairs] == [Tap(30, 30), Key("back")]
    assert {read(worse, screen).predicted for _better, worse in pairs} == {Tap(20, 70)}
    exported(project, "trl", tmp_path / "sft", content="corrections", dialect="android-world")
    answers = [row["messages"][-1]["content"][0]["text"] for row in rows(tmp_path / "sft")]
    assert [read(answer, screen).predicted for answer in answers] == [Tap(30, 30), Key("back")]
    settled = Judgement("sue", PERSON, "", Subject(STEP, "", 0, 0), "right", settles=True)
    add_judgements(folder, [settled])
    exported(project, "llama-factory", tmp_path / "settled", content="preferences", dialect="android-world")
    assert chosen_and_rejected(tmp_path / "settled") == []


def test_a_pair_differs_in_its_action_and_not_in_having_a_thought(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    add_trajectory(project, "g", [OpenApp("b", "Shop"), None], trees={0: TREE, 1: TREE})
    for name, action in (("same", OpenApp("b")), ("other", OpenApp("c"))):
        add_trajectory(project, name, [action, Complete()], kind=RUN, status="failure", shade=99,
                       trees={0: TREE, 1: TREE}, thoughts=["I think"])  # fmt: skip
    result = exported(project, "llama-factory", tmp_path / "out", content="preferences", dialect="ui-tars")
    assert chosen_and_rejected(tmp_path / "out") == [
        ("Action: open_app(app_name='Shop')", "Action: open_app(app_name='c')")
    ]
    assert not result.losses

"""Samples to train a judge with: what is positive, mined, and on which side, and how it is read."""

from __future__ import annotations

import base64
import contextlib
import json
import os

import pytest

from collector.cli import main as command
from collector.judge.votes.project_votes import read_votes
from collector.judge.windows import Window
from collector.model.action import Complete, Tap
from collector.model.dataset.split import (
    BY_APP,
    BY_TASK,
    BY_TIME,
    TEST,
    TRAIN,
    Split,
    kept_apart,
    shares_of,
)  # fmt: skip
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import RUN, State, TrajectoryHeader
from collector.model.verdicts.judgement import (
    MISSED,
    MODEL,
    PERSON,
    REACHED,
    STATE,
    WINDOW,
    Judgement,
    Subject,
)
from collector.model_judges.judge_files import named_judge
from collector.model_judges.training.sample_files import FORMATS
from collector.model_judges.training.samples import (
    MINED,
    SampleChoice,
    make_samples,
    times,
)
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.judged_by_model import BLACK, BOUNDS, SIZE, STATES, add_run, judged_project, write_judge
from tests.helpers.late_import import late_import_or_skip
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

os.environ["HF_HUB_OFFLINE"] = "1"  # nothing is looked up: the files are here
datasets = late_import_or_skip("datasets", "the loader of the data sets is not installed")
pytest.importorskip("tqdm").tqdm.monitor_interval = 0  # no thread that looks after bars nobody sees
REACHES = {"found": 2, "paid": 4}


def label(project, name, reaches, who="ann", task="shop"):
    subjects = [Subject(STATE, state, step, step) for state, step in reaches.items()]
    verdicts = [REACHED if subject.first is not None else MISSED for subject in subjects]
    judgements = [
        Judgement(who, PERSON, "", subject, verdict)
        for subject, verdict in zip(subjects, verdicts, strict=True)
    ]
    add_judgements(project.project.find(f"{task}/{name}"), judgements)


@pytest.fixture
def project(tmp_path):
    """Two labelled runs of one task, and one of another."""
    project = judged_project(tmp_path / "p")
    add_run(project.project, "r2")
    label(project, "r1", REACHES)
    label(project, "r2", {"found": 1, "paid": None})
    put_task(project.project, Task("book", "Buy a book", package="com.books", essential_states=("found",)))
    add_run(project.project, "b1", ("Home", "Book", "End"), task="book")
    label(project, "b1", {"found": 1}, task="book")
    return project


def choice(shares="0.8/0.2", by=BY_TASK, **values):
    return SampleChoice(Split(shares_of(shares), by), **values)


def made(project, **values):
    return make_samples(project.project, named_judge("a3rm", project.project, sends=False), choice(**values))


def test_a_window_is_positive_where_people_saw_the_state_reached(project):
    samples, counts = made(project, shares="1")
    positive = {
        (item.trajectory, item.state, item.window.first, item.window.last)
        for item in samples
        if item.is_positive
    }
    assert positive == {
        ("r1", "found", 1, 2), ("r1", "paid", 3, 4), ("r2", "found", 0, 1), ("b1", "found", 0, 1),
    }  # fmt: skip
    assert (counts.samples[TRAIN, "positive"], counts.samples[TRAIN, "negative"]) == (4, 4 * 4 + 2 - 4)
    assert sum(times(item, 4) for item in samples) == len(samples) + 3 * 4


@pytest.mark.parametrize("split", [BY_TASK, BY_APP, BY_TIME])
def test_no_trajectory_is_on_both_sides_and_the_split_is_the_same_each_time(project, split):
    samples, counts = made(project, by=split, shares="0.7/0.3")
    sides = {}
    for item in samples:
        sides.setdefault(item.trajectory, set()).add(item.side)
    assert all(len(found) == 1 for found in sides.values())
    assert {item.side for item in samples} == {TRAIN, TEST}
    assert counts.trajectories[TRAIN] + counts.trajectories[TEST] == 3
    assert made(project, by=split, shares="0.7/0.3")[0] == samples
    if split == BY_TASK:
        assert sides["r1"] == sides["r2"] != sides["b1"]


@pytest.mark.parametrize(
    ("sizes", "share", "newest", "apart"),
    [  # Groups in the order of the draw; the last one is looked at first.
        ({"a": 17, "b": 14, "c": 289}, 0.2, False, {"a", "b"}),
        ({"a": 10, "b": 10, "c": 10}, 0.3, False, {"c"}),
        ({"a": 50, "b": 60}, 0.1, False, {"a"}), ({"a": 10, "b": 10, "c": 90}, 0.2, True, {"c"}),
        ({"a": 10, "b": 80, "c": 5}, 0.1, True, {"c"}), ({"a": 10, "b": 10}, 1.0, False, {"b"}),
    ],
)  # fmt: skip
def test_about_the_share_is_kept_apart_that_was_asked_for(sizes, share, newest, apart):
    chosen = kept_apart(list(sizes), sizes, share * sum(sizes.values()), newest=newest)
    assert chosen == apart


def test_the_wrong_yes_of_a_judge_becomes_a_negative_and_other_windows_of_runs_are_left_out(project):
    folder = project.project.find("shop/r2")
    yes = [
        Judgement("keen", MODEL, "1", Subject(WINDOW, state, 2, 3), REACHED) for state in ("found", "paid")
    ]
    right = Judgement("keen", MODEL, "1", Subject(WINDOW, "found", 0, 1), REACHED)
    add_judgements(folder, [*yes, right])
    samples, counts = made(project, shares="1", negatives_of="keen")
    mined = {(item.state, item.window.first) for item in samples if item.source == MINED}
    assert mined == {("found", 2), ("paid", 2)}
    assert counts.samples[TRAIN, MINED] == 2
    assert counts.samples[TRAIN, "negative"] == 0  # all trajectories here are runs


def test_a_judge_with_wider_or_smaller_windows_gives_negatives_too(project):
    folder = project.project.find("shop/r2")  # people: found at step 1 of 0 to 4, paid never

    def yes(state, first, last, screen=None):
        proof = {} if screen is None else {"screen": screen}
        return Judgement("keen", MODEL, "1", Subject(WINDOW, state, first, last), REACHED, proof=proof)

    # The first is right; of the second the screen is known; of the third nothing but where it looked.
    add_judgements(folder, [yes("found", 0, 3, 4), yes("found", 1, 4, 3), yes("paid", 2, 4)])
    samples, _counts = made(project, shares="1", negatives_of="keen")
    mined = {(item.state, item.window.first, item.window.last) for item in samples if item.source == MINED}
    assert mined == {("found", 2, 3), ("found", 3, 4), ("paid", 2, 3), ("paid", 3, 4)}
    wide = named_judge("a3rm", project.project, {"window": 4}, sends=False)
    add_judgements(folder, [yes("paid", 1, 2)])
    samples, _counts = make_samples(project.project, wide, choice("1", negatives_of="keen"))
    mined = {(item.state, item.window.first, item.window.last) for item in samples if item.source == MINED}
    assert mined == {("found", 1, 4), ("paid", 0, 3), ("paid", 1, 4)}


def test_what_cannot_be_split_or_holds_nothing_is_refused(tmp_path):
    project = judged_project(tmp_path / "q")
    with pytest.raises(UserError, match="no person labelled"):
        made(project)
    label(project, "r1", REACHES)
    with pytest.raises(UserError, match="cannot be split by task into 2"):
        made(project)
    with pytest.raises(UserError, match="judged no windows of the trajectories whose states"):
        made(project, shares="1", negatives_of="kene")
    with pytest.raises(UserError, match="questions: each"):
        make_samples(
            project.project, named_judge("a3-commercial", project.project, sends=False), SampleChoice()
        )


def test_people_who_are_split_give_no_sample(project):
    label(project, "r1", {"found": None}, who="bob")
    samples, counts = made(project, shares="1")
    assert counts.split_people == 1
    assert not any(item.trajectory == "r1" and item.state == "found" for item in samples)
    assert read_votes(project.project).people == ("ann", "bob")


# -- files -------------------------------------------------------------------
def write(project, folder, form, capsys, *arguments):
    line = [
        "judge",
        "samples",
        folder,
        "--format",
        form,
        "--project",
        project.project.folder,
        *arguments,
        "--json",
    ]
    status = command.main([str(word) for word in line])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    return json.loads(printed.out)


def loaded(folder, form, tmp_path):
    kind = "parquet" if form in ("easyr1", "verl") else "json"
    ending = "parquet" if kind == "parquet" else "jsonl"
    files = {side: str(folder / f"{side}.{ending}") for side in (TRAIN, TEST)}
    datasets.disable_progress_bars()
    return datasets.load_dataset(kind, data_files=files, cache_dir=str(tmp_path / "cache"))


@pytest.mark.parametrize("form", FORMATS)
def test_the_files_are_read_by_the_library_that_trainers_read_them_with(project, tmp_path, capsys, form):
    folder = tmp_path / form
    said = write(project, folder, form, capsys, "--license", "cc-by-4.0")
    data = loaded(folder, form, tmp_path)
    for side in (TRAIN, TEST):
        counts = said[side]
        repeat = 4 if side == TRAIN else 1
        assert len(data[side]) == counts["positive"] * repeat + counts["negative"]
    row = data[TRAIN][0]
    answers = [_answer(form, item) for item in data[TRAIN]]
    assert answers.count("yes") == said[TRAIN]["positive"] * 4
    assert _pictures(form, row, folder) == [b"\xff\xd8", b"\xff\xd8"]
    words = json.dumps(row, default=str)
    assert "Essential state" in words
    if form == "trl":
        for messages, images in zip(data[TRAIN]["messages"], data[TRAIN]["images"], strict=True):
            is_conversation_of_trl(messages, images)
    else:
        assert words.count("<image>") == 2
    card = (folder / "README.md").read_text("utf-8")
    assert card.startswith("---\nlicense: cc-by-4.0\n")
    assert f"| train | {said[TRAIN]['positive']} | {said[TRAIN]['negative']} | 0 |" in card


def is_conversation_of_trl(messages, images):
    """What TRL asks of a sample with pictures (trl 1.16, ``data_utils.prepare_multimodal_messages``).

    Where TRL itself can be imported, it prepares the sample too. Its package needs torch, its reader of data
    sets does not.
    """
    assert [message["role"] for message in messages] == ["system", "user", "assistant"]
    parts = [part for message in messages for part in message["content"]]
    assert {part["type"] for part in parts} == {"image", "text"}
    places = [part for part in parts if part["type"] == "image" and "image" not in part]
    assert len(places) == len(images)
    assert all(isinstance(part["text"], str) for part in parts if part["type"] == "text")
    with contextlib.suppress(ImportError):
        from trl.data_utils import is_conversational, prepare_multimodal_messages

        assert is_conversational({"messages": messages})
        prepared = prepare_multimodal_messages(messages, images=list(images))
        shown = [part["image"] for message in prepared for part in message["content"] if "image" in part]
        assert shown == list(images)


def _answer(form, row):
    match form:
        case "a3rm":
            return row["response"].removeprefix("<answer>").removesuffix("</answer>")
        case "easyr1":
            return row["answer"]
        case "verl":
            return row["reward_model"]["ground_truth"]
        case _:
            content = row["messages"][-1]["content"]
            text = content if isinstance(content, str) else content[0]["text"]
            return text.removeprefix("<answer>").removesuffix("</answer>")


def _pictures(form, row, folder):
    if form in ("easyr1", "verl"):
        return [image["bytes"][:2] for image in row["images"]]
    return [(folder / name).read_bytes()[:2] for name in row["images"]]


def test_a_window_with_a_hidden_screen_is_left_out(tmp_path, capsys):
    project = judged_project(tmp_path / "q", pictures={4: BLACK})
    label(project, "r1", REACHES)
    said = write(project, tmp_path / "out", "a3rm", capsys, "--split", "1")
    assert said["left_out"] == 2
    lines = (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 8 - 2 + 3
    # What is said, and the card, are of the file: what was left out is in neither.
    assert (said["train"]["positive"], said["train"]["negative"]) == (1, 5)
    assert "| train | 1 | 5 | 0 |" in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_what_was_recorded_after_the_signal_gives_no_sample(project):
    with project.project.new_trajectory(TrajectoryHeader("late", "shop", RUN)) as writer:
        for number, action in enumerate((Tap(1, 1), Complete(), Tap(1, 1), Tap(1, 1))):
            state = State(package="a", activity=".Main", size=Size(*SIZE))
            writer.append(step(number, action, state=state), png(*SIZE, shade=150), xml("A", BOUNDS))
        writer.finish()
    label(project, "late", {"found": 1})
    samples, _counts = made(project, shares="1")
    windows = [item.window for item in samples if (item.trajectory, item.state) == ("late", "found")]
    assert windows == [Window(0, 1)]


def test_words_of_the_phone_name_no_picture_to_a_trainer(tmp_path, capsys):
    marks = "<video> <|image_pad|> <audio> <image>"
    project = judged_project(tmp_path / "q", states=STATES.replace("The poster is found", f'"{marks}"'))
    label(project, "r1", REACHES)
    write(project, tmp_path / "out", "llama-factory", capsys, "--split", "1")
    lines = (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines()
    (user,) = {
        message["content"] for message in json.loads(lines[0])["messages"] if message["role"] == "user"
    }
    assert "< video> < |image_pad|> < audio> < image>" in user
    assert user.count("<image>") == 2


def test_a_sample_is_the_very_question_of_the_judge(project, tmp_path, capsys):
    from tests.helpers.judged_by_model import judged, yes_at

    _judgements, asker = judged(project, yes_at({}, "tags"), prompt="a3rm", early_exit=False, max_tokens=2048)
    content = asker.asked[0].compose()[-1]["content"]
    text = "\n".join(part.get("text", "<image>") for part in content)
    write(project, tmp_path / "out", "a3rm", capsys, "--split", "1")
    rows = [json.loads(line) for line in (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines()]
    row = next(row for row in rows if row["problem"] == text)
    assert row["metadata"]["step_index"] == 0
    first = content[1]["image_url"]["url"].partition(",")[2]
    assert (tmp_path / "out" / row["images"][0]).read_bytes() == base64.b64decode(first)


def test_an_answer_has_the_form_that_the_prompt_of_the_judge_asks_for(project, tmp_path, capsys):
    write_judge(project, "asks-json", "http://127.0.0.1:9/v1", window=3, interval=1, prompt="window-each")
    said = write(project, tmp_path / "out", "a3rm", capsys, "--judge", "asks-json", "--split", "1")
    rows = [json.loads(line) for line in (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines()]
    answers = [json.loads(row["response"]) for row in rows]
    assert {tuple(answer) for answer in answers} == {("reason", "reached", "screen", "confidence")}
    assert [answer["reached"] for answer in answers].count("yes") == said["train"]["positive"] * 4
    for row, answer in zip(rows, answers, strict=True):
        about = row["metadata"]
        at = {"r1": REACHES, "r2": {"found": 1}, "b1": {"found": 1}}[about["traj_dir"].partition("/")[2]]
        is_yes = answer["reached"] == "yes"
        assert answer["screen"] == (at[about["state"]] - about["step_index"] + 1 if is_yes else None)
    assert rows[0]["metadata"]["essential_state"] == "The poster is found"
    assert {"category", "level"} <= rows[0]["metadata"].keys()


def test_counts_write_nothing_and_a_folder_that_is_there_stays(project, tmp_path, capsys):
    said = write(project, tmp_path / "out", "a3rm", capsys, "--counts")
    assert (said["folder"], (tmp_path / "out").exists()) == ("", False)
    write(project, tmp_path / "old", "a3rm", capsys)
    write(project, tmp_path / "old", "trl", capsys, "--force")
    assert sorted(path.name for path in tmp_path.glob("old*")) == ["old"]
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("x", "utf-8")
    line = ["judge", "samples", str(tmp_path / "out"), "--project", str(project.project.folder), "--force"]
    assert command.main(line) == 1
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "out" / "mine.txt").exists()

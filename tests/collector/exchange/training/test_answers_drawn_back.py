"""What a model learns to answer is what was done: read by its own reader, and drawn back on the screen."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.registry import DIALECTS
from collector.model import action as actions
from collector.model.action import Action, Complete, OpenApp, Scroll, Swipe
from collector.model.geometry import Size
from tests.helpers.taught import add_trajectory, answers, exported, new_project, rows

_TEXT = st.text("abc 一é\"',=<>|\\\n", min_size=1, max_size=8)
_TIMES = ("duration_ms", "path", "length", "package", "name", "reason", "redacted")


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, Size, list[Action]]:
    size = Size(draw(st.integers(60, 240)), draw(st.integers(60, 400)))
    x, y = st.integers(0, size.width - 1), st.integers(0, size.height - 1)
    action = (
        st.builds(actions.Tap, x, y) | st.builds(actions.DoubleTap, x, y) | st.builds(actions.LongPress, x, y)
        | st.builds(actions.Swipe, x, y, x, y) | st.builds(actions.Drag, x, y, x, y)
        | st.builds(actions.Scroll, x, y, st.sampled_from(actions.DIRECTIONS))
        | _TEXT.map(lambda text: actions.Type(text, len(text))) | _TEXT.map(actions.Answer)
        | st.sampled_from(("enter", "back", "home", "recents")).map(actions.Key)
        | st.builds(actions.OpenApp, st.just("com.shop"), st.sampled_from(("", "Shop")))
        | st.builds(actions.Wait, st.sampled_from((1000, 2000))) | st.just(actions.Impossible())
    )  # fmt: skip
    return draw(st.sampled_from(sorted(DIALECTS))), size, draw(st.lists(action, min_size=1, max_size=4))


def is_same(name: str, screen: AgentScreen, text: str, action: Action) -> bool:
    """Whether an answer asks for an action, to the rounding of its coordinates."""
    read = DIALECTS[name].read(text, screen).predicted
    assert read is not None
    if isinstance(action, Scroll) and isinstance(read, Swipe):
        action = Swipe(action.x, action.y, read.x2, read.y2)
    if isinstance(action, actions.Impossible) and isinstance(read, actions.AskUser):
        return read.question == action.reason
    if isinstance(action, OpenApp) and isinstance(read, OpenApp):
        return read.name == (action.name or action.package)
    width, height = DIALECTS[name].space.extent(screen)
    grain = {
        "x": 0 if width == screen.size.width else math.ceil(screen.size.width / width / 2),
        "y": 0 if height == screen.size.height else math.ceil(screen.size.height / height / 2),
    }
    given_, found = dataclasses.asdict(action), dataclasses.asdict(read)
    return read.kind == action.kind and all(
        abs(found[key] - value) <= grain[key[0]] if key[0] in "xy" else found[key] == value
        for key, value in given_.items()
        if key not in _TIMES
    )


@settings(max_examples=25, deadline=None)
@given(cases())
def test_each_answer_is_read_back_as_what_was_done(case: tuple[str, Size, list[Action]]) -> None:
    name, size, done = case
    with tempfile.TemporaryDirectory() as folder:
        project = new_project(Path(folder) / "p")
        add_trajectory(project, "g", [*done, None], size=size)
        options = {"dialect": name, "history_images": 0}
        result = exported(project, "llama-factory", Path(folder) / "out", **options)
        samples = rows(Path(folder) / "out")
        left_out = sum(len(item.steps) for item in result.losses)
        assert len(samples) + left_out == len(done) + 1  # with the word that it is done
        screen = AgentScreen(size, DIALECTS[name].image_size(size))
        unsaid = {int(number) for item in result.losses for number in item.steps}
        said = [action for number, action in enumerate([*done, Complete()], start=1) if number not in unsaid]
        for row, action in zip(samples, said, strict=True):
            assert is_same(name, screen, answers(row)[-1], action)
            words = json.dumps(row, ensure_ascii=False)
            assert words.count("<image>") == len(row["images"]) == 1
            picture = (Path(folder) / "out" / row["images"][0]).read_bytes()
            assert Image.open(io.BytesIO(picture)).size == (screen.image.width, screen.image.height)


@settings(max_examples=12, deadline=None)
@given(cases())
def test_a_whole_trajectory_is_its_steps_in_one_conversation(case: tuple[str, Size, list[Action]]) -> None:
    name, size, done = case
    with tempfile.TemporaryDirectory() as folder:
        project = new_project(Path(folder) / "p")
        add_trajectory(project, "g", [*done, None], size=size)
        options = {"dialect": name, "history": 0, "history_images": 0}
        result = exported(project, "llama-factory", Path(folder) / "steps", **options)
        exported(project, "llama-factory", Path(folder) / "whole", content="trajectories", **options)
        steps, whole = rows(Path(folder) / "steps"), rows(Path(folder) / "whole")
        if result.losses:
            assert whole == []
            return
        (row,) = whole
        assert answers(row) == [answers(each)[-1] for each in steps]
        assert row["images"] == [image for each in steps for image in each["images"]]
        roles = [each["role"] for each in row["messages"] if each["role"] != "system"]
        assert roles == ["user", "assistant"] * len(steps)

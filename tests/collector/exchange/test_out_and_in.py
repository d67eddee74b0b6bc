"""Out and in again is equal where a format can hold it: every format of the table, generated projects."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.exporting import export_project
from collector.exchange.format import TASKS, TRAJECTORIES
from collector.exchange.registry import formats, written_formats
from collector.model import action as actions
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, State, Step, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reader import open_trajectory, read_header
from tests.helpers.round_trip import pictures, there_and_back, unsaid
from tests.helpers.steps import png, xml

_POINT, _WORDS = st.integers(0, 99), st.text("abc 一é\"',=", max_size=6)
_ACTION = (
    st.none() | st.builds(actions.Tap, _POINT, _POINT) | st.builds(actions.Drag, *[_POINT] * 4)
    | st.builds(actions.Swipe, *[_POINT] * 4) | st.builds(actions.Wait, st.integers(0, 9000))
    | st.builds(actions.LongPress, _POINT, _POINT, st.integers(1, 9000)) | st.builds(actions.Answer, _WORDS)
    | _WORDS.map(lambda text: actions.Type(text, len(text))) | st.just(actions.Complete())
    | st.sampled_from(("back", "home", "recents")).map(actions.Key)
    | st.builds(actions.OpenApp, st.just("com.shop"), st.just("Shop"))
)  # fmt: skip
_TRAJECTORY = st.fixed_dictionaries({
    "kind": st.sampled_from((GOLDEN, RUN)), "actions": st.lists(_ACTION, min_size=1, max_size=3),
    "tree": st.booleans(), "note": _WORDS, "verdict": st.sampled_from(("", "success", "failure")),
})  # fmt: skip
_TASK = st.fixed_dictionaries({
    "instruction": _WORDS.map(lambda text: f"Do {text}x"), "package": st.sampled_from(("", "com.shop")),
    "max_steps": st.integers(0, 40), "note": _WORDS, "trajectories": st.lists(_TRAJECTORY, max_size=2),
})  # fmt: skip
_RUN = {"kind": RUN, "actions": [actions.Complete()], "tree": False, "note": "", "verdict": ""}
_SAME = {"instruction": "Do it", "package": "", "max_steps": 1, "note": "", "trajectories": [_RUN, _RUN]}
"""Two runs that differ in their pictures alone: the second was taken for the first, imported before."""

_ANSWERED = [actions.Wait(2000), actions.Answer("c"), actions.Tap(20, 35)]
_MIDWAY = {**_SAME, "trajectories": [{**_RUN, "actions": _ANSWERED}]}
"""A run that answers and goes on: D-GARA's executor is not asked for the answer."""


def made(folder: Path, tasks: list[dict[str, Any]]) -> Project:
    """A project of generated tasks and trajectories; every picture is another."""
    project = Project.create(folder)
    shade = 0
    project.save_tasks([
        Task(str(number), values["instruction"], package=values["package"], max_steps=values["max_steps"],
             note=values["note"])
        for number, values in enumerate(tasks, start=1)
    ])  # fmt: skip
    for number, values in enumerate(tasks, start=1):
        for count, given_ in enumerate(values["trajectories"]):
            is_run = given_["kind"] == RUN
            header = TrajectoryHeader(
                f"t{count}", str(number), given_["kind"], instruction=values["instruction"],
                episode=Episode("e", agent="a", seed=count) if is_run else None,
                outcome=Outcome("success") if is_run else None,
            )  # fmt: skip
            with project.new_trajectory(header) as writer:
                for index, action in enumerate(given_["actions"]):
                    shade += 1
                    turn = AgentTurn(given_["note"], predicted=action) if is_run else None
                    step = Step(index, index * 1000, "", State(), action, note=given_["note"], agent=turn)
                    writer.append(step, png(shade=shade), xml(str(shade)) if given_["tree"] else None)
                writer.finish()
            if given_["verdict"]:
                verdict = Judgement("rules", "rule", "1", Subject(), given_["verdict"])
                add_judgements(writer.folder, [verdict])
    return project


def content(project: Project) -> dict[str, Any]:
    """Everything that an import makes, but the moment of the import."""
    found: dict[str, Any] = {"tasks": project.tasks, "states": project.states}
    for folder in project.trajectory_folders():
        stored = open_trajectory(folder)
        extra = {key: value for key, value in stored.header.extra.items() if key != "imported_at"}
        blobs = [(stored.screenshot(step), stored.tree(step)) for step in stored.steps]
        found[project.paths.relative(folder)] = (
            dataclasses.replace(stored.header, extra=extra), stored.steps, blobs, stored.annotations(),
            [dataclasses.replace(each, time="") for each in read_judgements(folder).judgements],
        )  # fmt: skip
    return found


@pytest.mark.parametrize("format_id", [name for name, each in written_formats().items() if not each.missing])
@settings(max_examples=4, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.lists(_TASK, min_size=1, max_size=3))
@example([_SAME])
@example([_MIDWAY])
def test_out_and_in_again_is_equal(format_id: str, tasks: list[dict[str, Any]]) -> None:
    chosen = formats().kinds[format_id]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = made(folder / "first", tasks)
        kinds = {read_header(place).shown_kind for place in first.trajectory_folders()}
        if chosen.kind and chosen.kind not in kinds:
            with pytest.raises(ExchangeError, match="No trajectory fits"):
                export_project(first, format_id, folder / "none")
            return
        if not chosen.is_read:  # the same each time is all that can be asked here
            tops = [folder / f"{out}{chosen.ending}" for out in ("one", "two")]
            for top in tops:
                export_project(first, format_id, top)
            one, two = (
                {
                    path.relative_to(top): path.read_bytes()
                    for path in (top, *top.rglob("*"))
                    if path.is_file()
                }
                for top in tops
            )
            assert one == two
            return
        (folder / "a").mkdir()
        (folder / "b").mkdir()
        result, second, is_whole = there_and_back(first, format_id, folder / "a")
        if TASKS in chosen.holds and result.written.tasks:
            assert [(task.id, task.instruction) for task in second.tasks] == [
                (task.id, task.instruction) for task in first.tasks if task.id in result.written.tasks
            ]
        if TRAJECTORIES in chosen.holds:
            back = [second.paths.relative(place) for place in second.trajectory_folders()]
            assert pictures(second, back) == pictures(first, result.written.trajectories)
            assert not unsaid(first, result, second)
        if is_whole:
            assert second.tasks == first.tasks
        _again, third, _is_whole = there_and_back(second, format_id, folder / "b")
        assert content(third) == content(second)  # what came over once is kept by the format

"""Questions to the user: measures of loaded runs give what plain loops over the same steps give."""

from __future__ import annotations

import random
from dataclasses import replace

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.loading import load_episodes
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.model.action import AskUser, Tap
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.user_reply import REPLY, TaskReply, UserReply
from collector.store.project.project import Project
from tests.helpers.run_files import steps_of, write_run

TASKS = (
    Task("two", "Do it", replies=(TaskReply("a", "1", needed=True), TaskReply("b", "2", needed=True))),
    Task("may", "Do it", replies=(TaskReply("a", "1"),)),
    Task("none", "Do it"),
)


def test_measures_of_questions_are_those_of_a_plain_loop(tmp_path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks(TASKS)
    chance = random.Random(3)
    counted: dict[str, list[tuple[Task, list[UserReply]]]] = {"g": [], "h": []}
    for number in range(60):
        agent, task = chance.choice("gh"), chance.choice(TASKS)
        replies = []
        for _question in range(chance.randrange(4)):
            fits = chance.choice([*range(len(task.replies)), None])
            needed = fits is not None and task.replies[fits].needed
            replies.append(UserReply("x" if fits is not None else "", "replies", fits=fits, needed=needed))
        steps = steps_of(Tap(1, 2), *[AskUser(f"q{place}") for place in range(len(replies))])
        steps = [
            step if place == 0 or place > len(replies) else _with_reply(step, replies[place - 1])
            for place, step in enumerate(steps)
        ]
        is_fault = number % 7 == 0  # counts for nothing
        outcome = Outcome(infrastructure="the phone is gone") if is_fault else Outcome("failure")
        write_run(project, f"r{number}", Episode(agent=agent), outcome, task=task.id, steps=steps)
        if not is_fault:
            counted[agent].append((task, replies))
    measures = [MEASURES[name] for name in ("asked-needed", "went-on-unasked", "asked-needless")]
    result = pivot(load_episodes(project), [DIMENSIONS["agent"]], measures)
    assert sorted(result.groups.labels) == [("g",), ("h",)]
    for row, (agent,) in enumerate(result.groups.labels):
        runs = counted[agent]
        needed = sum(reply.needed for task, _replies in runs for reply in task.replies)
        asked = sum(len({reply.fits for reply in replies if reply.needed}) for _task, replies in runs)
        needing = [(task, replies) for task, replies in runs if task.id == "two"]
        went_on = sum(
            len({reply.fits for reply in replies if reply.needed}) < 2 for _task, replies in needing
        )
        questions = [reply for _task, replies in runs for reply in replies]
        needless = sum(not reply.needed for reply in questions)
        expected = [(asked, needed), (went_on, len(needing)), (needless, len(questions))]
        cells = [result.cell(row, column) for column in range(3)]
        assert [(cell.hits, cell.count) for cell in cells] == expected
        assert all(0 < hits <= of for hits, of in expected)


def _with_reply(step, reply):
    return replace(step, extra={**step.extra, REPLY: reply.as_dict()})

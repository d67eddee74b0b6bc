"""A small project whose trajectories judges by models are asked about, and answers by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.action import Action, Complete, Tap
from collector.model.episode import Episode
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import RUN, State, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement
from collector.model_judges.asking import judged_by
from collector.model_judges.combined_judge import asked_of
from collector.model_judges.judge_files import JudgeFile, named_judge, write_judge_file
from collector.model_judges.questions import ModelReply, Question, WrongAnswer
from collector.project_rules.project_rules import ProjectRules
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.chat_server import Exchange, completion
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

STATES = """states:
  - {id: found, description: The poster is found}
  - {id: paid, description: The poster is paid, after: [found]}
"""
SCREENS = ("Home", "Search", "Poster", "Cart", "Paid")
SIZE, BOUNDS = (80, 120), "[0,0][80,120]"
BLACK = png(*SIZE)
Texts = Sequence[str]


def judged_project(
    folder: Path, texts: Texts = SCREENS, *, states: str = STATES, needed: Sequence[str] = ("found", "paid"),
    claimed: bool = True, pictures: Mapping[int, bytes] | None = None,
) -> ProjectRules:  # fmt: skip
    """A project with one run ``r1`` of the task ``shop``, a screen a text; each is touched at (40, 60)."""
    project = Project.create(folder)
    put_task(project, Task("shop", "Buy the poster", app="Shop", essential_states=tuple(needed)))
    project.paths.rule_file("state").parent.mkdir(exist_ok=True)
    project.paths.rule_file("state").write_text(states, encoding="utf-8")
    add_run(project, "r1", texts, claimed=claimed, pictures=pictures)
    return ProjectRules.open(folder)


def add_run(
    project: Project, name: str, texts: Texts = SCREENS, *, claimed: bool = True,
    pictures: Mapping[int, bytes] | None = None, task: str = "shop", agent: str = "",
) -> None:  # fmt: skip
    """Add a run of a task, by default of ``shop``; of an agent when it is named."""
    episode = Episode(agent=agent) if agent else None
    with project.new_trajectory(TrajectoryHeader(name, task, RUN, episode=episode)) as writer:
        for number, text in enumerate(texts):
            last = number == len(texts) - 1
            action: Action | None = Tap(40, 60)
            if last:
                action = Complete() if claimed else None
            picture = (pictures or {}).get(number, png(*SIZE, shade=150 + number))
            state = State(package="a", activity=".Main", size=Size(*SIZE))
            writer.append(step(number, action, state=state), picture, xml(text, BOUNDS))
        writer.finish()


def trajectory_of(project: ProjectRules, name: str = "r1") -> JudgedTrajectory:
    """A run of the project as judges see it."""
    stored = open_trajectory(project.project.find(f"shop/{name}"))
    return JudgedTrajectory.of(stored, project.project.tasks, project.rules())


@dataclass
class HandAsker:
    """Answers every question by a function of it; an answer that cannot be read twice is a fault."""

    answer: Callable[[Question], str]
    asked: list[Question] = field(default_factory=list)

    def ask(self, questions: Sequence[Question]) -> list[ModelReply]:
        self.asked += questions
        return [self._reply(question) for question in questions]

    def _reply(self, question: Question) -> ModelReply:
        text = self.answer(question)
        try:
            return ModelReply(question.read(text), raw=text)
        except WrongAnswer as wrong:
            return ModelReply(None, str(wrong), text)

    @property
    def windows(self) -> list[tuple[str, int, int]]:
        """States, first and last index of every question, in order."""
        return [
            (" ".join(question.states), question.window.first, question.window.last)
            for question in self.asked
            if question.window is not None
        ]


def judged(
    project: ProjectRules, answer: Callable[[Question], str], method: str = "windows", name: str = "r1",
    **options: Any,
) -> tuple[list[Judgement], HandAsker]:  # fmt: skip
    """The verdicts of a judge of that method whose model answers by hand."""
    asker = HandAsker(answer)
    given = {"model": "m", **options} if method not in ("vote", "cascade") else options
    judge = named_judge(method, project.project, given, sends=False)
    return judged_by(asked_of(judge, trajectory_of(project, name)), asker), asker


def yes_at(places: Mapping[str, int], form: str = "json") -> Callable[[Question], str]:
    """Says yes of a state in each window that shows the index where it is reached."""

    def answer(question: Question) -> str:
        assert question.window is not None
        window = question.window
        rows = []
        for state in question.states:
            place = places.get(state, -1)
            shown = window.first <= place <= window.last
            rows.append({
                "id": state, "reason": "seen" if shown else "not there", "reached": "yes" if shown else "no",
                "screen": place - window.first + 1 if shown else None, "confidence": 0.9,
            })  # fmt: skip
        if form == "tags":
            return f"<think>look</think><answer>{rows[0]['reached']}</answer>"
        if len(rows) > 1 or form == "list":
            return json.dumps({"states": rows})
        return json.dumps({key: value for key, value in rows[0].items() if key != "id"})

    return answer


def write_judge(
    project: ProjectRules, name: str, address: str, method: str = "windows", **options: Any
) -> None:
    """Write a judge of the project whose endpoint is at ``address``, and allow to send screens there."""
    given = {"model": "test-model", "base_url": address, "retries": 0, **options}
    path = project.project.paths.judge(name)
    write_judge_file(project.project, JudgeFile(name, path, method, "", given))
    AllowedHosts().allow([Transfer(address.removesuffix("/v1"))])


def answering(text: Callable[[str], str]) -> Callable[[Exchange], None]:
    """A play of the scripted endpoint: the answer to the words of a request."""

    def play(exchange: Exchange) -> None:
        request = exchange.server.requests[-1]
        words = " ".join(request.texts)
        exchange.send(200, json.dumps(completion(text(words))).encode())

    return play

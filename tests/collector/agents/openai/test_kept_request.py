"""The request of a step is kept whole, and sent again as it was."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import numpy as np
import pytest

from collector.agents.agent import SCREENSHOT_AND_TREE, AgentEpisode, Observation, PastStep
from collector.agents.openai.kept_request import request_of, request_text
from collector.agents.openai.repeated_request import repeat_request
from collector.agents.registry import DeclaredAgent, create_agent
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import State, Step, Trajectory, TrajectoryHeader
from collector.recorder.png import encode_png
from collector.store.trajectory.reader import StoredTrajectory
from tests.collector.agents.screens import PHONE, screen
from tests.helpers import chat_server as play
from tests.helpers.chat_server import TAP, ChatServer


def recorded(folder, turns: list[AgentTurn]) -> StoredTrajectory:
    """A trajectory of two screens, 200 and 120 grey, with what the agent said."""
    (folder / "states").mkdir()
    steps = []
    for index, (turn, colour) in enumerate(zip(turns, (200, 120), strict=True)):
        moment = screen(colour=colour)
        (folder / f"states/{index}.png").write_bytes(encode_png(np.full((1200, 540, 3), colour, np.uint8)))
        (folder / f"states/{index}.xml").write_bytes(moment.snapshot.xml)
        state = State(f"states/{index}.png", f"states/{index}.xml", size=PHONE)
        turn = replace(turn, extra=json.loads(json.dumps(turn.extra)))  # as a file gives it back
        steps.append(Step(index, index, "", state, turn.predicted, agent=turn))
    return StoredTrajectory(folder, Trajectory(TrajectoryHeader("r", "t"), tuple(steps)))


@pytest.mark.parametrize(
    "options", [{}, {"history_images": 1, "quality": 70}, {"set_of_marks": True, "dialect": "m3a"}]
)
def test_a_request_is_sent_again_byte_for_byte(tmp_path, options) -> None:
    with ChatServer(play.right(TAP)) as server:
        given = {"model": "m", "base_url": server.address, "seed": 5, **options}
        agent = create_agent(DeclaredAgent("openai", given))
        agent.begin(AgentEpisode(Task("t", "Buy milk"), SCREENSHOT_AND_TREE, seed=7, budget=9))
        history, turns = [], []
        for number, colour in enumerate((200, 120), start=1):
            turn = agent.act(Observation(number, screen(colour=colour), tuple(history)), threading.Event())
            history.append(PastStep(turn.predicted, turn))
            turns.append(turn)
        stored = recorded(tmp_path, turns)
        for index in (0, 1):
            again = agent.ask_again(repeat_request(stored, index, agent.options.dialect))
            assert again.predicted == turns[index].predicted
        first, second, first_again, second_again = (request.raw for request in server.requests)
        assert (first_again, second_again) == (first, second)
        agent.close()
    kept = request_of(stored.steps[1])
    assert kept is not None
    assert b"base64" in second
    assert "base64" not in json.dumps(kept)  # pictures by reference
    assert (kept["model"], kept["fields"]["seed"]) == ("m", 5)
    assert "(the screen of step 2)" in request_text(kept)


def test_what_cannot_be_sent_again_says_why(tmp_path) -> None:
    turns = [AgentTurn("because", "raw"), AgentTurn(extra={"request": {"messages": [
        {"role": "user", "text": "Look", "picture": {"step": 9, "size": [10, 10]}}]}})]  # fmt: skip
    stored = recorded(tmp_path, turns)
    dialect = create_agent(
        DeclaredAgent("openai", {"model": "m", "base_url": "http://127.0.0.1:1"})
    ).options.dialect
    with pytest.raises(UserError, match="keeps no request"):
        repeat_request(stored, 0, dialect)
    with pytest.raises(UserError, match="a picture that the trajectory does not have"):
        repeat_request(stored, 1, dialect)

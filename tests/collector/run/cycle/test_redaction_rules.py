"""What the rules of a project hide is in no file of a run and in no event of it."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from collector.model.action import Complete, Key, Type
from collector.model.episode import AgentTurn
from collector.run.cycle import episode_screens
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import ScreenObserved, TextsHidden, to_line
from collector.store.files.layout import REDACTION_FILE
from tests.helpers.cycle_room import CycleRoom
from tests.helpers.login_phone import EMAIL, PLACES, LoginPhone

MAIL = "lin@a.com"
RULES = """
redact:
  - name: address
    where: {pattern: '[a-z]+@[a-z]+[.]com'}
  - name: top
    where: {rectangle: [0, 0, 1, 0.25]}
    what: [pixels]
"""


@pytest.fixture
def room(room: CycleRoom, monkeypatch: pytest.MonkeyPatch) -> CycleRoom:
    monkeypatch.setattr(episode_screens, "PAUSE_S", 0.0)
    room.phone = LoginPhone(room.phone.screens)
    (room.project.folder / REDACTION_FILE).write_text(RULES)
    return room


def test_an_agent_s_words_are_hidden_in_files_events_and_pictures(room: CycleRoom) -> None:
    place = PLACES[EMAIL]
    types = AgentTurn("I type it", "raw", Type(MAIL), extra={"focus": [place.x, place.y]})
    result = room.run(
        [types, AgentTurn(f"I typed {MAIL.upper()}", predicted=Key("back")), Complete()],
        control=EpisodeControl(shows_screens=True),
    )
    assert room.phone.email == MAIL
    stored = room.stored(result)
    assert stored.steps[0].action == Type(redacted=True)
    files = b"".join(path.read_bytes() for path in stored.folder.rglob("*") if path.is_file())
    said = json.dumps([to_line(event) for event in room.events])
    for text in (files.decode("latin-1"), said):
        assert MAIL not in text.lower()
    assert any(isinstance(event, TextsHidden) for event in room.events)
    pictures = [event.picture for event in room.events if isinstance(event, ScreenObserved) and event.picture]
    assert pictures
    for data in pictures:
        shown = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert shown[: shown.shape[0] // 5].max() < 20


def test_what_an_agent_types_into_a_hidden_field_is_said_to_nobody(room: CycleRoom) -> None:
    (room.project.folder / REDACTION_FILE).write_text(
        "redact: [{name: mail, where: {selector: \"class='android.widget.EditText' [1]\"}}]"
    )
    place = PLACES[EMAIL]
    said: list[str] = []
    types = AgentTurn("I type it", "raw", Type("Quorvex"), extra={"focus": [place.x, place.y]})
    room.run([types, Complete()], emit=lambda event: said.append(json.dumps(to_line(event))))
    assert room.phone.email == "Quorvex"
    assert not [line for line in said if "Quorvex" in line]


def test_no_episode_begins_with_rules_that_cannot_be_read(room: CycleRoom) -> None:
    (room.project.folder / REDACTION_FILE).write_text("redact: [{name: a}]")
    result = room.run([Complete()])
    assert "redact.yaml" in result.outcome.infrastructure
    assert result.trajectory == ""

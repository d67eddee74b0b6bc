"""What an agent or a person types into a password field is hidden everywhere, and other text is kept."""

from __future__ import annotations

import json
import re

import pytest

from collector.model.action import Complete, Invalid, Key, Type
from collector.model.episode import AgentTurn
from collector.run.cycle import episode_screens
from collector.run.cycle.steering.control import PersonAction, Resume, TakeOver
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import ActionPredicted, StepDone, TextsHidden, to_line
from collector.store.redaction.screens import MASK
from tests.helpers.cycle_room import CycleRoom
from tests.helpers.login_phone import EMAIL, PASSWORD, PLACES, LoginPhone

SECRET = "hunter22"
HIDDEN = Type(redacted=True)


@pytest.fixture
def login(room: CycleRoom, monkeypatch: pytest.MonkeyPatch) -> CycleRoom:
    monkeypatch.setattr(episode_screens, "PAUSE_S", 0.0)
    room.phone = LoginPhone(room.phone.screens)
    return room


def into(field: str, text: str = SECRET, thought: str = "") -> AgentTurn:
    """Type with the place of a field."""
    place = PLACES[field]
    return AgentTurn(thought, f'"{text}"', Type(text, len(text)), extra={"focus": [place.x, place.y]})


def plainly(text: str = SECRET) -> AgentTurn:
    return AgentTurn(f"I type {text}", predicted=Type(text, len(text)))


def run(room: CycleRoom, *answers: object, **values: object):
    """Run the answers, then complete; the stored run. Its files and events hold no password."""
    result = room.run([*answers, Complete()], **values)
    stored = room.stored(result)
    assert room.recomputed(result).is_equal
    return stored


def said(room: CycleRoom) -> str:
    return json.dumps([to_line(event) for event in room.events])


def files(stored) -> str:
    return "".join(path.read_bytes().decode("latin-1") for path in stored.folder.rglob("*") if path.is_file())


def test_the_field_that_is_tapped_takes_the_password(login: CycleRoom) -> None:
    stored = run(login, into(EMAIL, "lin@a.com"), into(PASSWORD, thought="hunter22 is it"))
    assert [step.action for step in stored.steps[:2]] == [Type("lin@a.com", 9), HIDDEN]
    assert stored.steps[1].agent.thought == f"{MASK} is it"
    assert (login.phone.email, login.phone.password) == ("lin@a.com", SECRET)
    assert SECRET not in said(login) + files(stored)
    predicted = [event.action.get("text") for event in login.events if isinstance(event, ActionPredicted)]
    assert predicted == ["lin@a.com", "", None]


def test_the_field_of_the_last_text_says_nothing_of_the_next_one(login: CycleRoom) -> None:
    stored = run(
        login, into(PASSWORD), into(EMAIL, "lin@a.com"), AgentTurn("lin@a.com", predicted=Key("back"))
    )
    assert [step.action for step in stored.steps[:2]] == [HIDDEN, Type("lin@a.com", 9)]
    assert stored.steps[2].agent.thought == "lin@a.com"
    assert "lin@a.com" in (stored.folder / stored.steps[2].state.tree).read_text()


def test_what_was_thought_before_is_masked_when_it_is_typed(login: CycleRoom) -> None:
    stored = run(login, AgentTurn(f"Later {SECRET}", predicted=Key("back")), into(PASSWORD))
    assert stored.steps[0].agent.thought == f"Later {MASK}"
    assert SECRET not in files(stored)
    hidden = next(event for event in login.events if isinstance(event, TextsHidden))
    assert (SECRET in hidden.texts, SECRET in repr(hidden)) == (True, False)
    order = [type(event) for event in login.events if isinstance(event, TextsHidden | StepDone)]
    assert order[:2] == [StepDone, TextsHidden], "before the password is typed"


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"is_unreadable": True}, into(EMAIL)),
        ({"moves_on": True}, into(EMAIL)),
        ({}, into(EMAIL, f"lin\t{SECRET}")),
        ({"moves_on": True}, plainly()),
        ({"focus": PASSWORD}, plainly()),
    ],
    ids=["no tree", "moves on", "tab", "moves on without a place", "focus"],
)  # fmt: skip
def test_in_doubt_it_is_hidden(login: CycleRoom, values: dict, answer: AgentTurn) -> None:
    for name, value in values.items():
        setattr(login.phone, name, value)
    result = login.run([answer, Complete()])
    login.phone.is_unreadable = False
    stored = login.stored(result)
    assert stored.steps[0].action == HIDDEN
    assert SECRET not in files(stored)


def test_a_password_field_that_comes_up_while_text_is_typed_is_noticed_afterwards(login: CycleRoom) -> None:
    login.phone.focus, login.phone.moves_on, login.phone.asks_late = EMAIL, True, True
    stored = run(login, plainly(), AgentTurn("I typed HUNTER22", predicted=Key("back")))
    assert login.phone.password == SECRET[1:]
    assert [step.action for step in stored.steps[:2]] == [HIDDEN, Key("back")]
    assert stored.steps[0].redacted
    assert SECRET not in files(stored).lower()


def test_a_password_that_is_made_visible_is_black_there(login: CycleRoom) -> None:
    def show(_observation) -> AgentTurn:
        login.phone.shows_password = True
        return AgentTurn("I look", predicted=Key("back"))

    stored = run(login, into(PASSWORD), show, AgentTurn("I see hunter22", predicted=Key("back")))
    assert SECRET not in said(login) + files(stored)


def test_a_text_that_the_phone_refuses_is_in_no_reason(login: CycleRoom) -> None:
    login.phone.refuses_text = True
    result = login.run([into(PASSWORD), Complete()])
    stored = login.stored(result)
    assert MASK in result.outcome.infrastructure
    assert SECRET not in said(login) + files(stored) + repr(result)


def test_digits_that_are_pressed_one_by_one_are_hidden_together(login: CycleRoom) -> None:
    login.phone.focus = PASSWORD
    keys = [AgentTurn(f"Now {digit}", predicted=Key(f"code:{digit + 7}")) for digit in (3, 1, 4, 1, 5, 9)]
    stored = run(login, *keys, AgentTurn("I pressed 314159", predicted=Key("back")))
    assert login.phone.password == "314159"
    assert [step.action for step in stored.steps[:6]] == [HIDDEN] * 6
    assert not stored.header.outcome.early_stop, "nobody can say that hidden texts are the same"
    assert {step.agent.thought for step in stored.steps[:6]} == {""}
    assert stored.steps[6].agent.thought == f"I pressed {MASK}"
    assert not re.search(r"Now \d|code:\d", said(login) + files(stored))


def test_a_persons_password_is_not_told_to_the_agent_that_goes_on(login: CycleRoom) -> None:
    control, login.phone.focus = EpisodeControl(), PASSWORD

    def steer(event: object) -> None:
        if isinstance(event, ActionPredicted) and event.step == 1:
            for command in (TakeOver("sara"), PersonAction(Type(SECRET, 8)), Resume()):
                control.send(command)

    stored = run(login, Key("back"), control=control, emit=steer)
    assert stored.steps[0].action == HIDDEN
    assert login.agent.seen[-1].history[0].action == HIDDEN
    assert SECRET not in said(login) + files(stored)


def test_an_agent_is_told_what_it_typed_itself(login: CycleRoom) -> None:
    run(login, into(PASSWORD))
    (past,) = login.agent.seen[-1].history
    assert (past.action, past.turn.raw) == (Type(SECRET, 8), f'"{SECRET}"')


def test_a_short_pin_drops_what_was_said_with_it(login: CycleRoom) -> None:
    stored = run(login, into(PASSWORD, "7", "The PIN is 7"))
    assert (stored.steps[0].action, stored.steps[0].agent.thought, stored.steps[0].agent.raw) == (
        HIDDEN,
        "",
        "",
    )
    assert Invalid not in {type(step.action) for step in stored.steps}
    assert "The PIN is 7" not in said(login)

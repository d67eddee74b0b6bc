"""What a person can do in the to-do app and the messenger, as events on their states."""

from __future__ import annotations

import datetime as dt
from typing import Any

from collector.virtual.apps.messenger.app import MessengerApp
from collector.virtual.apps.settings.app import SettingsApp
from collector.virtual.apps.todo.app import TodoApp
from collector.virtual.ui.effects import Change, Later, Notify, PutSetting, ShowSnackbar
from collector.virtual.ui.events import Event

TODAY = dt.date(2026, 11, 20)


def play(app: Any, state: Any, *events: Event) -> tuple[Any, tuple[Any, ...]]:
    effects: tuple[Any, ...] = ()
    for event in events:
        result = app.update(state, event)
        state, effects = (result.state, result.effects) if isinstance(result, Change) else (result, ())
    return state, effects


def test_a_new_task_appears_under_its_day() -> None:
    app = TodoApp()
    state, _ = play(
        app,
        app.initial(1, "en-US"),
        Event("new", "2026-11-20"),
        Event("draft", "title", "Buy stamps"),
        Event("pick", ("time", "09:00")),
        Event("save"),
    )
    assert [task.title for task in state.shown(TODAY)][-1] == "Buy stamps"
    assert state.tasks[-1].time == "09:00"


def test_a_task_without_a_title_is_not_saved() -> None:
    app = TodoApp()
    before = app.initial(1, "en-US")
    state, _ = play(app, before, Event("new"), Event("draft", "title", "  "), Event("save"))
    assert state.tasks == before.tasks


def test_a_deleted_task_can_be_brought_back() -> None:
    app = TodoApp()
    before = app.initial(1, "en-US")
    state, effects = play(app, before, Event("edit", 3), Event("delete"))
    assert len(state.tasks) == len(before.tasks) - 1
    undo = next(effect for effect in effects if isinstance(effect, ShowSnackbar)).on_action
    assert undo is not None
    assert play(app, state, undo)[0].tasks == before.tasks


def test_finished_tasks_go_all_at_once_and_are_counted() -> None:
    app = TodoApp()
    state, effects = play(app, app.initial(1, "en-US"), Event("clear_done"))
    assert not any(task.done for task in state.tasks if task.list == "my")
    assert effects[0].text.startswith("2 ")


def test_search_looks_into_every_list() -> None:
    app = TodoApp()
    state, _ = play(app, app.initial(1, "en-US"), Event("query", value="tickets"))
    assert [task.list for task in state.matches()] == ["trip"]


def test_a_sent_message_is_answered_after_a_while() -> None:
    app = MessengerApp()
    state, effects = play(
        app,
        app.initial(1, "en-US"),
        Event("open", "emil"),
        Event("draft", value="Yes!"),
        Event("send", "12:05"),
    )
    assert state.chats["emil"][-1].text == "Yes!"
    assert state.listed()[0] == "emil"
    typing = next(effect for effect in effects if isinstance(effect, Later))
    state, effects = play(app, state, typing.event)
    state, _ = play(app, state, effects[0].event)
    assert not state.chats["emil"][-1].me


def test_an_answer_to_a_closed_chat_notifies_unless_muted() -> None:
    app = MessengerApp()
    state, effects = play(app, app.initial(1, "en-US"), Event("answer", "ana"))
    assert state.unread["ana"] == 1
    assert any(isinstance(effect, Notify) for effect in effects)
    muted, _ = play(app, state, Event("open", "ana"), Event("mute"), Event("leave"))
    assert not any(isinstance(item, Notify) for item in play(app, muted, Event("answer", "ana"))[1])


def test_a_message_can_be_forwarded() -> None:
    app = MessengerApp()
    state, _ = play(
        app, app.initial(1, "en-US"), Event("open", "ben"), Event("message", 2), Event("forward", "ana")
    )
    assert "7319" in state.chats["ana"][-1].text


def test_a_settings_switch_writes_the_phone_s_own_key() -> None:
    app = SettingsApp()
    _, effects = play(app, app.initial(1, "en-US"), Event("put", ("global", "wifi_on", "0", "1"), False))
    assert effects == (PutSetting("global", "wifi_on", "0"),)


def test_a_protected_network_asks_for_its_password_once() -> None:
    app = SettingsApp()
    state, _ = play(app, app.initial(1, "en-US"), Event("network", "cafe"))
    assert state.dialog == "join"
    joined, _ = play(app, state, Event("network_password", value="bica-2026"), Event("join"))
    assert joined.network == "cafe"
    rejoined, _ = play(app, joined, Event("network", "lab"), Event("network", "cafe"))
    assert rejoined.network == "cafe"

"""What a person can do in the to-do app and the messenger, as events on their states."""

from __future__ import annotations

import datetime as dt
from typing import Any

from collector.hierarchy.parse import parse_tree
from collector.virtual.apps.messenger.app import MessengerApp
from collector.virtual.apps.settings.app import SettingsApp
from collector.virtual.apps.todo.app import TodoApp
from collector.virtual.ui.effects import Change, Later, Notify, PutSetting, ShowSnackbar
from collector.virtual.ui.events import Event
from tests.helpers.shell_device import shell_device

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


def test_a_deleted_chat_can_be_brought_back_to_its_place() -> None:
    app = MessengerApp()
    before, _ = play(app, app.initial(1, "en-US"), Event("open", "ben"), Event("pin"), Event("leave"))
    deleted, effects = play(app, before, Event("open", "ben"), Event("delete_chat"))
    assert "ben" not in deleted.chats
    undo = next(effect for effect in effects if isinstance(effect, ShowSnackbar)).on_action
    back, _ = play(app, deleted, undo)
    assert (back.chats, back.order, back.pinned) == (before.chats, before.order, before.pinned)


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


def answers(seed: int, person: str, count: int, locale: str = "en-US") -> list[str]:
    """What a contact answers to so many messages, in order."""
    app = MessengerApp()
    state, _ = play(app, app.initial(seed, locale), Event("open", person), *[Event("answer", person)] * count)
    return [message.text for message in state.chats[person][-count:]]


def test_known_contacts_answer_with_words_of_their_own_and_others_by_the_seed() -> None:
    ana = ["Got it, thanks!", "See you at the station", "Got it, thanks!"]
    assert [answers(seed, "ana", 3) for seed in (1, 2, 9)] == [ana] * 3
    assert answers(1, "ana", 1, "zh-CN") == ["收到，谢谢！"]
    emil = [answers(seed, "emil", 6) for seed in range(1, 6)]
    assert emil == [answers(seed, "emil", 6) for seed in range(1, 6)]
    assert len({tuple(words) for words in emil}) > 1
    assert len(set(emil[0])) > 1
    assert answers(1, "+49 30 1234", 4) != answers(1, "emil", 4)


def test_a_contact_answers_the_same_whatever_was_written_to_others() -> None:
    app = MessengerApp()
    state, _ = play(app, app.initial(1, "en-US"), Event("answer", "ben"), Event("answer", "ana"))
    assert state.chats["ana"][-1].text == answers(1, "ana", 1)[0]


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


def test_addresses_of_text_messages_open_a_chat_with_the_text() -> None:
    with shell_device("messenger") as device:
        device.shell("am start -n com.android.settings/.Settings")
        for intent, chat, draft in (
            (
                "-a android.intent.action.SENDTO -d 'smsto:+447700900202?body=On%20my%20way'",
                "ben",
                "On my way",
            ),
            ("-a android.intent.action.VIEW -d sms:+351912000101 --es sms_body hello", "ana", "hello"),
            ("-a android.intent.action.SENDTO -d sms:555-0199 --es sms_body '你好'", "555-0199", "你好"),
        ):
            assert device.shell(f"am start {intent}").ok
            state = device.phone.app_state("messenger")
            assert (state["open"], state["drafts"][chat]) == (chat, draft)
            assert str(device.phone.focused).endswith(".ChatActivity")
        names = [node.text for node in parse_tree(device.phone.hierarchy_xml()).nodes if node.text]
        assert names[0] == "555-0199"
        device.shell("input keyevent BACK")
        assert device.phone.focused is not None
        assert device.phone.focused.package == "com.android.settings", "BACK returns to the caller"
        device.shell("am start -a android.intent.action.SENDTO -d sms:")
        assert str(device.phone.focused).endswith(".MainActivity"), "without a number the contacts are shown"


def test_a_shared_text_goes_to_the_contact_that_is_chosen() -> None:
    with shell_device("messenger") as device:
        share = "am start -a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT"
        assert device.shell(f"{share} 'read this'").ok
        nodes = list(parse_tree(device.phone.hierarchy_xml()).nodes)
        assert "read this" in [node.text for node in nodes]
        (ben,) = (node for node in nodes if node.text == "Ben Okafor")
        assert ben.bounds is not None
        device.shell(f"input tap {ben.bounds.center.x} {ben.bounds.center.y}")
        state = device.phone.app_state("messenger")
        assert (state["open"], state["drafts"], state["shared"]) == ("ben", {"ben": "read this"}, "")
        assert str(device.phone.focused).endswith(".ChatActivity")

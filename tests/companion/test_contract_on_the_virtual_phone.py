"""The contract of the companion app on the virtual phone; the app's own tests read the same file of cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.companion.activities import ACTIVITIES, STYLE
from collector.model.companion.contract import (
    ANSWER_COLUMNS,
    ANSWER_TAG,
    ANSWERS_FILE,
    ANSWERS_PATH,
    AUTHORITY,
    HOW,
    OPEN_PATH,
)
from collector.model.phone.touch import TouchAction
from collector.virtual.apps.companion.state import PACKAGE
from collector.virtual.shell.machine import Machine
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.phone_time import SimulatedTime
from collector.virtual.ui.effects import Component, Intent
from tests.helpers.virtual import profile

CASES = json.loads((Path(__file__).parent / "contract_cases.json").read_text(encoding="utf-8"))
OVERLAY_OP = "SYSTEM_ALERT_WINDOW"
NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS"


class PhoneWithCompanion:
    """A phone whose time passes when it is told to, in the state of a new one at each :meth:`begin`."""

    def __init__(self) -> None:
        self.phone = Phone(profile("shop", "companion"), SimulatedTime())
        self.machine = Machine(self.phone)
        self.phone.snapshots.save("new")
        self.components = self.phone.services.components

    def begin(self, case):
        phone = self.phone
        phone.snapshots.load("new")
        phone.logcat.clear()
        self.toasts = []
        language = case.get("phone", {}).get("language", "en")
        phone.settings.put("system", "system_locales", {"en": "en-US", "zh": "zh-CN"}[language])
        granted = case.get("granted", True)
        phone.services.permissions.grant(PACKAGE, NOTIFICATIONS, granted)
        phone.services.permissions.set_op(PACKAGE, OVERLAY_OP, "allow" if granted else "default")
        phone.launch("com.waymark.shop")

    def start(self, activity, extras):
        intent = Intent(component=Component(PACKAGE, f"{PACKAGE}.{activity}"), extras=dict(extras))
        if not ACTIVITIES[activity].is_receiver:
            self.phone.start_activity(intent)
            return None
        return self.phone.services.broadcasts.send(intent)

    def nodes(self):
        tree = parse_tree(self.phone.hierarchy_xml())
        prefix = f"{PACKAGE}:id/"
        return {
            node.resource_id.removeprefix(prefix): node
            for node in tree.nodes
            if node.resource_id.startswith(prefix)
        }

    def tap(self, x, y):
        self.phone.touch(TouchAction.DOWN, 0, x, y)
        self.phone.touch(TouchAction.UP, 0, x, y)

    def act(self, step):
        if step == "back":
            self.phone.key(4)
        elif step == "outside":
            self.tap(360, 120)
        else:
            ((verb, value),) = [(key, step[key]) for key in step if key != "extras"]
            getattr(self, f"_{verb}")(value, step)

    def _touch(self, name, step):
        center = self.nodes()[name].bounds.center
        self.tap(center.x, center.y)

    def _wait(self, seconds, step):
        self.phone.pass_time(seconds)

    def _type(self, texts, step):
        for name, text in texts.items():
            self._touch(name, step)
            self.phone.commit_text(text)
        self.phone.key(4)

    def _close(self, dialog, step):
        self.components.call(AUTHORITY, "close", dialog)

    def _start(self, activity, step):
        self.start(activity, step.get("extras", {}))

    def _shows(self, texts, step):
        nodes = self.nodes()
        assert {name: nodes[name].text for name in texts if name in nodes} == texts

    def _gone(self, names, step):
        assert not set(names) & set(self.nodes())

    def _notification(self, way, step):
        self.phone.expand_shade(True)
        nodes = parse_tree(self.phone.hierarchy_xml()).nodes
        if way == "swipe":
            place = next(node for node in nodes if node.resource_id == "android:id/title").bounds.center
            for action, x in ((TouchAction.DOWN, place.x), (TouchAction.MOVE, place.x + 250)):
                self.phone.touch(action, 0, x, place.y)
            self.phone.touch(TouchAction.UP, 0, place.x + 250, place.y)
        else:
            names = {"touch": "title", "accept": "action0", "deny": "action1"}
            name = f"android:id/{names[way]}"
            place = next(node for node in nodes if node.resource_id == name).bounds.center
            self.tap(place.x, place.y)
        self.phone.expand_shade(False)

    def rows(self, path):
        return self.components.query(AUTHORITY, path)


@pytest.fixture(scope="module")
def companion():
    phone = PhoneWithCompanion()
    yield phone
    phone.phone.close()


def named(wanted, rows):
    """The named fields of rows, as text."""
    assert len(wanted) == len(rows), rows
    found = [{key: row[key] for key in fields} for fields, row in zip(wanted, rows, strict=True)]
    return found, [{key: str(value) for key, value in fields.items()} for fields in wanted]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_case_of_the_contract(companion, case):
    companion.begin(case)
    phone = companion.phone
    toasts, stop = [], phone.toasted.subscribe(lambda text: toasts.append(text))
    result = companion.start(case["start"], case.get("extras", {}))
    companion.act({"shows": case.get("shows", {})})
    if "notice" in case:
        posted = phone.services.notices.posted[-1]
        assert {"title": posted.title, "text": posted.text} == case["notice"]
    for step in case.get("do", []):
        companion.act(step)
    stop()
    assert toasts == ([case["toast"]] if "toast" in case else [])
    if "result" in case:
        assert result.code == case["result"]["code"]
        assert case["result"]["data"] in (result.data or "")
    lines = [line for line in phone.logcat.read() if line.pid == phone.pid_of(PACKAGE)]
    assert [[line.tag, line.text] for line in lines if line.tag != ANSWER_TAG] == case.get("logs", [])
    answers = [json.loads(line.text) for line in lines if line.tag == ANSWER_TAG]
    as_text = [{key: str(value) for key, value in answer.items()} for answer in answers]
    found, wanted = named(case.get("answers", []), as_text)
    assert found == wanted
    assert companion.rows(ANSWERS_PATH) == as_text
    opened, wanted = named(case.get("open", []), companion.rows(OPEN_PATH))
    assert opened == wanted
    if answers:
        assert all(tuple(answer) == ANSWER_COLUMNS for answer in answers)
        assert all(0 < answer["shown_at"] <= answer["answered_at"] for answer in answers)
        kept = companion.machine.files.read(ANSWERS_FILE).decode().splitlines()
        assert [json.loads(line) for line in kept] == answers


def test_the_cases_ask_for_every_activity_button_end_and_parameter():
    starts = {case["start"] for case in CASES}
    answers = [answer for case in CASES for answer in case.get("answers", [])]
    given = {(answer["activity"], answer["answer"]) for answer in answers if answer.get("answer")}
    buttons = {(name, button.answer) for name, known in ACTIVITIES.items() for button in known.buttons}
    parameters = {key for case in CASES for key in case.get("extras", {})}
    missing = [
        *(set(ACTIVITIES) - starts),
        *(buttons - given),
        *(set(HOW) - {answer["how"] for answer in answers}),
        *(set(STYLE) - parameters),
    ]
    assert not missing
    assert len({case["name"] for case in CASES}) == len(CASES) >= 45

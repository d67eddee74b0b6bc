"""A person records a shopping task on a phone, from sign-in to cart, and has it on the disk."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image
from PySide6.QtCore import Qt

from collector.cli.main import main
from collector.model import action as actions
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.verdicts.judgement import Subject
from collector.recorder.settle import MAP_SIZE
from collector.store.checks.check import check_project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory
from collector.virtual.apps.shop.catalogue import Filters, search

_TASK = Task("shop-14", "Sign in and put the cheapest poster in stock into the cart", "Shop",
             "com.waymark.shop", essential_states=("shop-14-1", "in_cart"))  # fmt: skip
_IN_CART = {"conditions": {"all": [{"type": "semantic_element_exists", "keywords": ["Cart (1)"]}]}}
_STATES = (
    EssentialState("shop-14-1", "Signed in"), EssentialState("in_cart", "In the cart", extra=_IN_CART),
)  # fmt: skip


def _small(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("L").resize((MAP_SIZE.width, MAP_SIZE.height)), dtype=np.int16)


def _looks_like(stored: bytes, seen: np.ndarray, *, below: float) -> bool:
    """Compare without status bar and caret: two video frames are never equal byte for byte."""
    with Image.open(io.BytesIO(stored)) as picture:
        changed = np.abs(_small(picture) - _small(Image.fromarray(seen))) > 12
    return float(changed[8:].mean()) <= below


def _filled_buttons(person):
    """Return the commands of the filled buttons on show; one that cannot be pressed is not filled."""
    buttons = [item for item in person.record.toolbar.buttons.items() if item[1].isVisible()]
    return [command for command, button in buttons if button.kind == "primary" and button.isEnabled()]


class _TouchScreens:
    """Records point and screen of each touch-down, independently of the recorder."""

    def __init__(self, person):
        self.screens = []
        self._person = person
        person.view.pointer.connect(self._pointer)

    def _pointer(self, event):
        if event.action.name == "DOWN":
            frame = self._person.studio.devices.current.session.newest_frame()
            self.screens.append((event.position.point, frame.rgb()))


def test_a_shopping_task_is_recorded_finished_and_reopened(person, tmp_path, qtbot):
    folder = tmp_path / "posters"
    project = person.open_project(folder, _TASK, states=_STATES)
    person.take_phone()
    touches = _TouchScreens(person)
    assert _filled_buttons(person) == ["record.start"]
    person.start()

    person.tap(person.sees("Shop"))
    person.tap(person.sees("Sign in"))
    person.tap(person.field("password"))
    person.types("hunter22")
    person.tap(person.sees("Continue"))
    person.run("record.mark-state", state="Signed in")
    person.tap(person.sees("Search products"))
    person.types("海报")
    person.until(lambda: len(person.recording.steps) == 7)

    for _char in "海报":
        person.presses(Qt.Key.Key_Backspace)
    person.until(lambda: len(person.recording.steps) == 9)
    person.run("edit.undo")
    person.until(lambda: len(person.recording.steps) == 8)
    person.types("poster")
    person.presses(Qt.Key.Key_Return)
    person.tap(person.sees("Sort"))
    person.tap(person.sees("Price: low to high"))
    person.tap(person.sees("Filter"))
    person.tap(person.sees("In stock only"))
    person.tap(person.sees("Apply"))
    person.tap(person.field("item"))
    card = person.record.mirror.task_card
    assert [(state.text, state.step) for state in card.states] == [("Signed in", 6), ("In the cart", 0)]
    person.tap(person.field("add_to_cart"))
    person.until(lambda: card.states[1].step == len(person.recording.steps) + 1)  # on the live screen
    assert card.states[1].ticks[0].startswith(f"rules: step {card.states[1].step} · ")
    (lane,) = [lane for lane in person.record.timeline.canvas.lanes() if lane.title == "States"]
    assert [(mark.slot, mark.text) for mark in lane.given] == [
        (5, "Signed in"), (len(person.recording.steps), "In the cart"),
    ]  # fmt: skip
    count = len(person.recording.steps)
    person.run("edit.undo")  # the phone still shows the state, and no step leads there
    person.until(lambda: (card.states[1].step, len(person.recording.steps)) == (0, count - 1))
    assert person.record.mirror.pill.text == f"The phone is not where step {count} begins"
    person.run("edit.redo")
    person.until(lambda: card.states[1].step == len(person.recording.steps) + 1 == count + 1)
    assert person.recording.undo_title
    assert _filled_buttons(person) == ["record.finish"]
    done = person.finish()

    stored = open_trajectory(done)
    captions = [step.description for step in stored.steps]
    taps = [step for step in stored.steps if isinstance(step.action, actions.Tap)]
    assert len(stored.steps) >= 16
    assert captions[:3] == ["Tap 'Shop'", "Tap 'Sign in'", "Tap 'password'"], captions
    assert captions[3] == "Type a hidden text into 'password'", captions
    assert stored.steps[6].action == actions.Type("海报", 2)
    assert "hunter22" not in (done / "steps.jsonl").read_text()
    assert captions[12:15] == ["Tap 'Filter'", "Tap 'In stock only'", "Tap 'Apply'"]
    poster = search("poster", "", Filters(in_stock=True), "price_up")[0].name("en")
    assert captions[15:] == [f"Tap '{poster}'", "Tap 'Add to cart'", ""]
    assert stored.steps[-1].action is None
    assert b"Cart (1)" in stored.tree(stored.steps[-1])
    assert stored.header.status == "finished"
    assert stored.header.who == "lin"
    assert stored.header.device["model"]
    assert "com.waymark.shop" in stored.header.apps
    assert [step.action.point for step in taps] == [point for point, _rgb in touches.screens]
    for step, (_point, rgb) in zip(taps, touches.screens, strict=True):
        picture = stored.screenshot(step)
        # Passwords are blacked out in the stored screenshot.
        assert picture is not None
        assert _looks_like(picture, rgb, below=0.12 if step.redacted else 0.01)
    assert not list(check_project(project))

    person.record.trajectories.open(done)
    person.until(lambda: person.record.session.editor is not None)
    assert [step.description for step in person.record.session.steps] == captions
    last = len(captions) - 1
    person.until(lambda: [(state.text, state.step) for state in card.states] == [
        ("Signed in", 6), ("In the cart", last + 1),
    ])  # fmt: skip
    marks = [(mark.step, mark.state) for mark in person.record.achieved_states.reached]
    assert marks == [(5, "shop-14-1")], "what the rules see is no mark of a person"
    lines = [line for line in stored.events() if line["kind"] == "verdict"]
    assert [(line["state"], line["verdict"]) for line in lines] == [("in_cart", "reached")]
    assert lines[0]["step"] == last
    judged = read_judgements(done).newest()[("rules", Subject("state", "in_cart"))]
    assert (judged.verdict, judged.subject.first) == ("reached", last)


def test_the_command_line_finds_nothing_wrong_with_it(person, tmp_path, capsys):
    folder = tmp_path / "short"
    person.open_project(folder, _TASK, states=_STATES)
    person.take_phone()
    person.start()
    person.tap(person.sees("Shop"))
    person.finish()
    assert main(["project", "check", str(folder)]) == 0, capsys.readouterr()

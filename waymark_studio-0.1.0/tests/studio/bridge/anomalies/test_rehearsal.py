"""Rules rehearsed behind the window: what is a state, what fires, what is counted, what becomes of it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QObject, Signal

from collector.anomalies.errors import AnomalyError
from collector.anomalies.events import ANSWERED, INJECTED, UNDONE, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.journal import PendingChange
from collector.anomalies.reader import read_library
from collector.anomalies.rehearsal import RehearsalOutcome
from collector.anomalies.rehearsal_run import RehearsalInput
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.rules.grammar.rule_reader import read_rules
from studio.bridge import JobRunner
from studio.bridge.anomalies.rehearsal import MOST_MOMENTS, Rehearsals
from studio.bridge.anomalies.rehearsal_pictures import image_of
from tests.helpers.rule_room import LIBRARY_TEXT, SHOP, SIZE, home_screen, results_screen

RULES = """rules:
  - id: on_results
    priority: 1
    once: false
    conditions: {all: [{type: semantic_element_exists, keywords: [Sort, Filter]}]}
    actions: [{type: inject_interference, interference_id: low_battery}]
  - id: in_shop
    priority: 2
    once: false
    conditions: {all: [{type: current_package_is, value: com.example.shop}]}
    actions: [{type: inject_interference, interference_id: low_battery, trigger_probability: 0.5,
               follow_up: {accept: am start}}]
"""
LIBRARY = {anomaly.id: anomaly for anomaly in read_library(LIBRARY_TEXT).anomalies}
BATTERY = LIBRARY["low_battery"]


def snapshot(data: bytes, package: str = SHOP, problem: str = "") -> TreeSnapshot:
    return TreeSnapshot(data, parse_tree(data), 0, 0, "uiautomator", package, ".Main", problem)


class FakeLink(QObject):
    tree_changed = Signal(object)

    def __init__(self, serial: str = "p1") -> None:
        super().__init__()
        self.serial, self.is_lost, self.taken = serial, False, ""
        self.newest = snapshot(home_screen())
        frame = Frame(np.full((SIZE.height, SIZE.width, 3), 90, np.uint8), sequence=1, received_ns=0)
        self.screen = SimpleNamespace(
            secure=False, newest_tree=lambda: self.newest, newest_frame=lambda: frame, screen_size=SIZE
        )

    def refresh_tree(self) -> None:
        pass

    def show(self, snapshot: TreeSnapshot) -> None:
        self.newest = snapshot
        self.tree_changed.emit(snapshot)


class FakeDevices(QObject):
    current_changed = Signal(object)
    current: FakeLink | None = None


class FakeAnomalies(QObject):
    """Notes what is fired; the test says what comes of it."""

    happened, active_changed, trust_asked = Signal(object), Signal(object), Signal(object)
    fired, refused = Signal(object, object), Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.requests, self.undone = [], []
        self.active: tuple[PendingChange, ...] = ()
        self.open: PendingChange | None = None
        self.is_firing, self.leased_for = False, ""

    def fire(self, request):
        self.requests.append(request)
        self.is_firing = True
        return object()

    def undo(self, injection: str) -> None:
        self.undone.append(injection)

    def show(self, injection: str = "i1") -> None:
        """The dialog comes."""
        request, self.is_firing = self.requests[-1], False
        self.open = PendingChange(injection, request.anomaly.id, native=False)
        self.active = (self.open,)
        self.tell(INJECTED, injection)
        self.active_changed.emit(self.active)
        self.fired.emit(request, InjectedAnomaly(injection, request.anomaly, InjectionStage.OPEN))

    def tell(self, kind: str, injection: str = "i1", **more: str) -> None:
        self.happened.emit(AnomalyEvent(kind, injection, "low_battery", 0, **more))

    def over(self) -> None:
        self.active, self.open = (), None
        self.active_changed.emit(())


class Room:
    def __init__(self, qtbot) -> None:
        self.qtbot = qtbot
        self.runner, self.devices, self.anomalies = JobRunner(), FakeDevices(), FakeAnomalies()
        self.link = self.devices.current = FakeLink()
        self.rules = read_rules(RULES).rules
        self.rehearsals = Rehearsals(self.runner, self.devices, self.anomalies, self.matter)

    def matter(self) -> RehearsalInput:
        return RehearsalInput(self.rules, LIBRARY)

    def come(self, snapshot: TreeSnapshot) -> None:
        """The phone shows something, and whatever follows is over."""
        self.link.show(snapshot)
        self.rest()

    def rest(self) -> None:
        self.qtbot.waitUntil(lambda: not self.runner.jobs, timeout=10_000)

    def start(self, **chosen) -> None:
        self.rehearsals.arrange(**chosen)
        self.rehearsals.start()
        self.rest()

    def shown(self, rule_id: str) -> list[str]:
        return [
            moment.cells[rule_id].shown.value for moment in self.rehearsals.moments if rule_id in moment.cells
        ]

    def last(self, rule_id: str):
        return self.rehearsals.moments[-1].cells[rule_id]


@pytest.fixture
def room(qapp, qtbot):
    opened = Room(qtbot)
    yield opened
    opened.runner.close()
    for part in (opened.rehearsals, opened.anomalies, opened.devices, opened.link, opened.runner):
        part.deleteLater()
    qtbot.wait(0)


def test_a_dry_run_tells_what_would_fire_and_injects_nothing(room) -> None:
    room.start(most=5)
    room.come(snapshot(results_screen()))
    assert room.shown("on_results") == ["silent", "would-fire"]
    assert room.last("in_shop").reason == "Another rule went first"
    assert image_of(room.rehearsals.moments[0]).width() == SIZE.width
    assert room.anomalies.requests == []


def test_a_state_is_another_tree_at_rest_and_no_dialog_of_ours(room) -> None:
    room.start()
    room.come(snapshot(home_screen()))
    room.come(snapshot(results_screen(), problem="The screen changed"))
    room.come(snapshot(results_screen(1), package=COMPANION_PACKAGE))
    room.come(TreeSnapshot(b"", None, 0, 0, "uiautomator", "", "", "busy"))
    assert len(room.rehearsals.moments) == 1
    room.come(snapshot(results_screen(), problem="The screen changed"))  # it moves, its tree does not
    assert len(room.rehearsals.moments) == 2
    room.rehearsals.stop()
    room.come(snapshot(home_screen()))
    assert len(room.rehearsals.moments) == 2


def test_the_same_seed_draws_the_same_and_another_begins_anew(room) -> None:
    def draws(seed: int) -> list[float | None]:
        room.start(seed=seed, most=9, rule_id="in_shop")
        for turn in range(3):
            room.come(snapshot(results_screen(turn)))
        return [moment.cells["in_shop"].draw for moment in room.rehearsals.moments]

    first, other, again = draws(1), draws(2), draws(1)
    assert first == again != other
    assert all(draw is not None for draw in first)
    room.rehearsals.arrange(seed=7)
    room.rest()
    assert [moment.number for moment in room.rehearsals.moments] == [1]
    assert list(room.rehearsals.moments[0].cells) == ["in_shop"]


def test_live_what_fires_is_injected_and_followed_to_its_end(room) -> None:
    room.link.newest = snapshot(results_screen())
    room.start(live=True, most=5)
    (request,) = room.anomalies.requests
    assert (request.anomaly, request.package) == (BATTERY, SHOP)
    assert room.shown("on_results") == ["would-fire"]
    assert room.rehearsals.is_waiting(1, "on_results")
    room.anomalies.show()
    assert room.shown("on_results") == ["fired"]
    assert not room.rehearsals.is_waiting(1, "on_results")
    assert not room.rehearsals.can_fire
    room.come(snapshot(results_screen(1)))
    assert room.last("on_results").reason == "An injected dialog is still open"
    room.anomalies.tell(ANSWERED, answer="accept")
    room.anomalies.over()
    room.come(snapshot(results_screen()))
    assert len(room.anomalies.requests) == 2
    assert [event.kind for event in room.rehearsals.events["i1"]] == [INJECTED, ANSWERED]


def test_a_rule_s_own_follow_up_goes_with_what_it_injects(room) -> None:
    room.rehearsals.force("in_shop")
    room.rest()
    assert room.anomalies.requests[0].follow_up == {"accept": "am start"}


def test_what_is_trusted_late_is_injected_late(room) -> None:
    room.link.newest = snapshot(results_screen())
    room.start(live=True)
    room.anomalies.is_firing = False
    room.anomalies.trust_asked.emit(object())
    assert not room.rehearsals.is_waiting(1, "on_results")
    assert room.shown("on_results") == ["would-fire"]
    room.anomalies.show()
    assert room.shown("on_results") == ["fired"]


def test_what_could_not_be_injected_is_told_in_its_cell(room) -> None:
    room.link.newest = snapshot(results_screen())
    room.start(live=True)
    room.anomalies.is_firing = False
    room.anomalies.refused.emit(room.anomalies.requests[0], AnomalyError("The screen is locked"))
    cell = room.last("on_results")
    assert cell.shown is RehearsalOutcome.FAILED
    assert "locked" in cell.reason


def test_a_rule_edited_while_it_runs_is_judged_in_its_new_form(room) -> None:
    room.start()
    room.rules = read_rules(RULES.replace("[Sort, Filter]", "[Sort, Metro]")).rules
    room.come(snapshot(results_screen()))
    assert room.shown("on_results") == ["silent", "near"]
    room.rules = read_rules(RULES.replace("id: on_results", "id: other")).rules
    room.come(snapshot(results_screen(1)))
    assert list(room.rehearsals.moments[-1].cells) == ["other", "in_shop"]


def test_limits_count_as_in_an_episode_and_dry_counts_are_forgotten_live(room) -> None:
    room.link.newest = snapshot(results_screen())
    room.start(most=1)
    room.come(snapshot(results_screen(1)))
    assert room.last("on_results").reason == "The most anomalies allowed in an episode were injected"
    room.rehearsals.arrange(live=True)
    room.rest()
    assert len(room.anomalies.requests) == 1
    assert len(room.rehearsals.moments) == 1


def test_a_rule_is_forced_whatever_it_says_dry_or_stopped(room) -> None:
    room.rehearsals.force("on_results")
    room.rest()
    cell = room.last("on_results")
    assert (cell.forced, cell.reason, cell.shown) == (True, "It was forced", RehearsalOutcome.WOULD_FIRE)
    assert cell.proof is not None
    assert not cell.proof.holds
    room.anomalies.show()
    assert room.last("on_results").shown is RehearsalOutcome.FIRED
    room.rehearsals.undo()
    assert room.anomalies.undone == ["i1"]
    room.anomalies.tell(UNDONE)
    room.anomalies.over()
    room.rehearsals.force("in_shop")  # the same screen: the same state
    room.rest()
    assert [list(moment.cells) for moment in room.rehearsals.moments] == [["on_results", "in_shop"]]
    assert len(room.anomalies.requests) == 2


def test_force_waits_for_the_screen_behind_a_closed_dialog(room) -> None:
    room.link.newest = snapshot(results_screen(), package=COMPANION_PACKAGE)
    room.rehearsals.force("on_results")
    room.rest()
    assert room.anomalies.requests == []
    room.link.show(snapshot(results_screen()))
    room.rest()
    assert [request.anomaly.id for request in room.anomalies.requests] == ["low_battery"]
    room.anomalies.show()
    room.link.show(snapshot(results_screen(1)))
    room.rest()
    assert len(room.anomalies.requests) == 1


def test_nothing_is_forced_while_a_dialog_is_open_or_without_a_phone(room) -> None:
    room.anomalies.open = PendingChange("i0", "x", native=False)
    room.rehearsals.force("on_results")
    room.anomalies.open = None
    room.rehearsals.use_phone(None)
    room.rehearsals.force("on_results")
    room.rehearsals.start()
    room.rest()
    assert room.anomalies.requests == []
    assert not room.rehearsals.is_running


def test_another_phone_ends_it_and_a_new_link_of_the_same_does_not(room) -> None:
    room.start()
    again = FakeLink()
    room.devices.current_changed.emit(again)
    assert room.rehearsals.is_running
    other = FakeLink("p2")
    room.devices.current_changed.emit(other)
    assert not room.rehearsals.is_running
    assert room.rehearsals.moments
    for part in (again, other):
        part.deleteLater()


def test_an_anomaly_the_library_has_not_is_told(room) -> None:
    room.rules = read_rules(RULES.replace("low_battery}", "none}")).rules
    room.link.newest = snapshot(results_screen())
    room.start()
    assert room.last("on_results").reason == "The library has no such anomaly"
    room.rehearsals.force("on_results")
    room.rest()
    assert room.last("on_results").shown is RehearsalOutcome.FAILED
    assert room.anomalies.requests == []


def test_only_the_newest_states_are_kept(room) -> None:
    room.start(most=0)
    for turn in range(MOST_MOMENTS + 5):
        room.link.show(snapshot(results_screen(turn)))
    room.rest()
    numbers = [moment.number for moment in room.rehearsals.moments]
    assert len(numbers) == MOST_MOMENTS
    assert numbers[-1] == MOST_MOMENTS + 6
    assert room.rehearsals.moment(numbers[0]).number == numbers[0]
    assert room.rehearsals.moment(1) is None
    assert room.rehearsals.moments[-1].view.previous is None

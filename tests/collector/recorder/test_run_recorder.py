"""A run is written behind the one who acts: steps, events, anomalies, outcome, and no secrets."""

from __future__ import annotations

import datetime as dt
import re
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.action import Answer, Complete, Invalid, Tap, Type
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.errors import UserError
from collector.model.trajectory import RUN, TrajectoryHeader, installed_apps
from collector.model.usage import Usage
from collector.recorder.run_recorder import RunRecorder
from collector.recorder.screen_moment import ScreenMoment
from collector.rules.columns.corpus import Corpus
from collector.store.catalogue.catalogue import Catalogue
from collector.store.checks.check import check_trajectory
from collector.store.files.disk import Disk
from collector.store.files.errors import DiskFull
from collector.store.project.project import Project
from collector.store.project.runs import begin_run
from collector.store.redaction.screens import MASK
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import recover
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.dumps import hierarchy, node
from tests.helpers.fake_source import MS, SCREEN, FakeClock
from tests.helpers.recorder_rig import BUY, SECRET

HEADER = TrajectoryHeader("run-1", "buy", kind=RUN, episode=Episode(agent="gpt", repeat=0))
HUNTER = re.compile(rb"(?i)h-?u-?n-?t-?e-?r-?7-?7")
DIALOG = node(text="Low battery", package="com.dialog")
TURN = AgentTurn("I buy it", '{"tap": [50, 50]}', Tap(50, 50), Usage(900, 30), {"think": 2100})


class SlowDisk(Disk):
    """Writes nothing before it is let go, and refuses what it is told to refuse."""

    def __init__(self) -> None:
        self.go_on, self.refuses = threading.Event(), False
        self.go_on.set()

    def write_all(self, files) -> None:
        assert self.go_on.wait(10)
        if self.refuses:
            raise DiskFull("The disk is full")
        super().write_all(files)


class RunRig:
    """A run recorder over a fake clock, and moments to give it."""

    def __init__(self, folder: Path, **more: object) -> None:
        self.clock, self.disk = FakeClock(), SlowDisk()
        self.run = RunRecorder(
            TrajectoryWriter.create(folder, HEADER, disk=self.disk), clock=self.clock, **more
        )

    def moment(self, *roots: str) -> ScreenMoment:
        self.clock.pass_ms(100)
        xml = hierarchy(*(roots or (BUY,))).encode()
        now = self.clock()
        frame = Frame(np.full((SCREEN.height, SCREEN.width, 3), 90, np.uint8), sequence=1, received_ns=now)
        snapshot = TreeSnapshot(xml, parse_tree(xml), now - 40 * MS, now, "dump", "com.shop", ".Main")
        return ScreenMoment(
            now,
            dt.datetime.now(dt.UTC),
            frame,
            snapshot,
            "com.shop",
            ".Main",
            SCREEN,
            0,
            "screencap",
            skew=0.0,
        )


@pytest.fixture
def rig(tmp_path):
    rig = RunRig(tmp_path)
    yield rig
    rig.run.close()


def test_an_agent_s_steps_are_written_behind_it_in_order(rig):
    rig.disk.go_on.clear()
    moment = rig.moment()
    rig.clock.pass_ms(2100)
    rig.run.step(moment, Tap(50, 50), {"plan": "buy"}, agent=TURN, acted_ns=rig.clock())
    rig.run.note_event("note", rig.clock(), {"text": "seen"})
    rig.run.step(rig.moment(), Invalid("???", reason="no JSON"), agent=AgentTurn(raw="???"))
    rig.run.step(rig.moment(), Answer("42"))
    assert not (rig.run.folder / "states/0000.png").exists(), "nobody waits for the disk"
    rig.disk.go_on.set()
    outcome = Outcome("success", "It is bought", "answer", usage=Usage(1800, 60))
    folder = rig.run.finish(outcome, rig.moment(), apps={"com.shop": "1.2"})
    stored = open_trajectory(folder)
    assert (stored.header.status, stored.header.outcome, stored.header.apps) == (
        "finished", outcome, {"com.shop": "1.2"},
    )  # fmt: skip
    tap, invalid, answer, final = stored.steps
    assert (tap.t_ms, tap.agent, tap.extra) == (2200, TURN, {"plan": "buy"})
    assert (tap.description, tap.target.selectors[0]) == ("Tap 'Buy'", "resource-id='app:id/buy'")
    assert (tap.state.tree_age_ms, tap.state.skew, tap.state.source["frame"]) == (40, 0.0, "screencap")
    assert (invalid.action.kind, invalid.target) == ("invalid", None)
    assert (answer.action, final.action, final.state.tree != "") == (Answer("42"), None, True)
    assert [(line["kind"], line["step"]) for line in stored.events()] == [("note", 1)]
    assert stored.header.duration_ms == final.t_ms
    assert not check_trajectory(folder)


def test_the_phone_s_apps_are_kept_with_each_screen(rig):
    for apps in ({"com.shop", "com.old"}, {"com.shop", "com.new"}, None):
        moment = rig.moment()
        known = None if apps is None else frozenset(apps)
        rig.run.step(replace(moment, snapshot=replace(moment.snapshot, apps=known)), Tap(50, 50))
    stored = open_trajectory(rig.run.finish(Outcome()))
    assert stored.header.installed == ("com.old", "com.shop")
    assert [step.state.apps for step in stored.steps] == [{}, {"com.new": True, "com.old": False}, None]
    shown = [installed_apps(stored.header, step.state) for step in stored.steps]
    assert shown == [{"com.shop", "com.old"}, {"com.shop", "com.new"}, None]
    assert Corpus([stored]).view(1).apps == {"com.shop", "com.new"}
    assert not check_trajectory(stored.folder)


def with_data(rig, **records) -> ScreenMoment:
    moment = rig.moment()
    data = {f"todo.{name}": titles for name, titles in records.items()}
    return replace(moment, snapshot=replace(moment.snapshot, app_data=data))


def test_what_apps_keep_is_stored_once_and_then_what_differs(rig):
    milk, rent = {"title": "Milk"}, {"title": "Rent"}
    rig.run.step(with_data(rig, tasks=[milk], shared=[rent]), Tap(50, 50))
    rig.run.step(with_data(rig, tasks=[milk, rent], shared=[rent]), Tap(50, 50))
    rig.run.step(rig.moment(), Tap(50, 50))
    rig.run.step(with_data(rig, tasks=[milk]), Tap(50, 50))
    stored = open_trajectory(rig.run.finish(Outcome()))
    assert [step.state.app_data for step in stored.steps] == [
        {}, {"todo.tasks": [milk, rent]}, None, {"todo.shared": []},
    ]  # fmt: skip
    corpus = Corpus([stored])
    assert corpus.view(1).app_data() == {"todo.tasks": [milk, rent], "todo.shared": [rent]}
    assert corpus.view(2).app_data() is None
    assert not check_trajectory(stored.folder)
    (stored.folder / "app_data.json").write_text("[1]")
    assert Corpus([stored]).view(1).app_data() is None


def test_what_apps_keep_has_no_secrets(rig):
    rig.run.step(with_data(rig, tasks=[{"title": "Key hunter77"}]), Tap(50, 50))
    rig.run.step(with_data(rig, tasks=[{"title": "Key"}, {"title": "hunter77"}]), Tap(50, 50))
    rig.run.add_secrets(["hunter77"])
    rig.run.step(with_data(rig, tasks=[{"title": "hunter77 again"}]), Tap(50, 50))
    folder = rig.run.finish(Outcome())
    for path in folder.rglob("*.json*"):
        assert not HUNTER.search(path.read_bytes()), path.name
    assert open_trajectory(folder).steps[2].state.app_data == {"todo.tasks": [{"title": f"{MASK} again"}]}


def test_steps_under_a_dialog_name_its_anomaly(rig):
    rig.run.interrupt("i-1", "low_battery", rig.clock(), "com.dialog", "com.shop")
    rig.run.note_event("anomaly", rig.clock(), {"injection": "i-1", "transition": "injected"})
    rig.run.step(rig.moment(DIALOG), Tap(1, 1))
    rig.run.interruption_over("i-1", rig.clock())
    rig.run.step(rig.moment(DIALOG), Tap(2, 2))
    stored = open_trajectory(rig.run.finish(Outcome()))
    marked, free = stored.steps
    assert marked.extra["anomaly"] == {"injection": "i-1", "anomaly": "low_battery", "over": "com.shop"}
    assert free.extra == {}
    (interruption,) = stored.interruptions()
    assert (interruption.anomaly, interruption.steps) == ("", (0,))
    assert stored.header.extra["interrupted"] == ["low_battery"]


def test_passwords_and_given_texts_never_reach_the_disk(tmp_path):
    rig = RunRig(tmp_path, secrets=["given-text"])
    turn = AgentTurn("I type hunter77", '{"text": "hunter77"}', Type("hunter77", 8))
    rig.run.step(rig.moment(SECRET), Type("hunter77", 8), agent=turn)
    rig.run.step(rig.moment(), Type("given-text", 10), agent=AgentTurn("hunter77 was wrong; given-text"))
    rig.run.step(rig.moment(SECRET), Type("ab", 2), agent=AgentTurn("Then ab", usage=Usage(5)))
    rig.run.note_event("note", rig.clock(), {"said": ["pw hunter77"]})
    folder = rig.run.finish(Outcome("failure", "hunter77 is wrong", infrastructure=""))
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert b"hunter77" not in data, path
            assert b"given-text" not in data, path
    first, second, short = open_trajectory(folder).steps
    assert (first.action, first.agent.predicted) == (Type(redacted=True), Type(redacted=True))
    assert first.agent.thought == f"I type {MASK}"
    assert (second.action, second.agent.thought) == (Type(redacted=True), f"{MASK} was wrong; {MASK}")
    assert (short.action, short.agent) == (Type(redacted=True), AgentTurn(usage=Usage(5)))


def test_what_was_said_before_a_password_was_typed_is_masked_then(rig):
    shown = node(text="Your password: hunter77", bounds="[0,200][360,300]")
    rig.run.step(
        rig.moment(BUY, shown), Tap(50, 50), agent=AgentTurn("Later I type HUNTER77", "h-u-n-t-e-r-7-7")
    )
    rig.run.note_event("note", rig.clock(), {"phase": "observe", "said": "hunter77"})
    rig.run.note_event("note", rig.clock(), {"said": "it shows"}, rig.moment(shown))
    rig.run.step(rig.moment(), Tap(50, 50), agent=AgentTurn("Nothing"))
    assert rig.run.flush(10)
    assert b"HUNTER77" in (rig.run.folder / "steps.jsonl").read_bytes()
    rig.run.step(rig.moment(SECRET), Type("hunter77", 8), agent=AgentTurn("I type it"))
    rig.run.step(rig.moment(BUY, shown), Tap(50, 50))
    folder = rig.run.finish(Outcome("failure"))
    for path in folder.rglob("*"):
        assert not path.is_file() or not HUNTER.search(path.read_bytes()), path
    stored = open_trajectory(folder)
    first, second, typed, later = stored.steps
    assert (first.agent.thought, first.agent.raw, second.agent.thought) == (
        f"Later I type {MASK}",
        MASK,
        "Nothing",
    )
    assert [step.redacted for step in stored.steps] == [True, False, True, True]
    assert typed.action == Type(redacted=True)
    assert [line.get("said") for line in stored.events()] == [MASK, "it shows"]
    for step in (first, later):
        picture = np.asarray(Image.open(folder / step.state.screenshot))
        assert (picture[200:300].max(), picture[:200].min()) == (0, 90)
        assert f'text="{MASK}"' in (folder / step.state.tree).read_text()
    assert not check_trajectory(folder)


def test_a_text_whose_field_nobody_knows_is_masked_and_may_be_shown(rig):
    shown = node(text="Hello, lin@example.com", bounds="[0,200][360,300]")
    rig.run.step(rig.moment(), Tap(1, 1), agent=AgentTurn("lin@example.com"))
    rig.run.hide_typed("lin@example.com", on_screens=False)
    rig.run.step(rig.moment(), Type("lin@example.com", 15), hides_text=True)
    rig.run.step(rig.moment(), Invalid("ab", "malformed", "no"), agent=AgentTurn("ab"), hides_text=True)
    folder = rig.run.finish(Outcome(), rig.moment(shown))
    said, typed, refused, final = open_trajectory(folder).steps
    assert (said.agent.thought, typed.action, typed.redacted) == (MASK, Type(redacted=True), True)
    assert (refused.action, refused.agent.thought) == (Invalid("", "malformed", "no"), "")
    assert b"lin@example.com" in (folder / final.state.tree).read_bytes()


def test_what_the_disk_refuses_ends_the_run_and_is_written_later(rig):
    rig.disk.refuses = True
    rig.run.step(rig.moment(), Tap(1, 1))
    assert rig.run.flush(10)
    with pytest.raises(DiskFull):
        rig.run.step(rig.moment(), Tap(2, 2))
    rig.disk.refuses = False
    stored = open_trajectory(rig.run.finish(Outcome(infrastructure="The disk was full")))
    assert [step.action for step in stored.steps] == [Tap(1, 1)]
    assert stored.header.outcome.infrastructure == "The disk was full"


def test_a_run_that_cannot_be_finished_says_so_and_keeps_its_steps(rig):
    rig.run.step(rig.moment(), Tap(1, 1))
    assert rig.run.flush(10)
    rig.disk.refuses = True
    with pytest.raises(UserError):
        rig.run.finish(Outcome("success"))
    assert [step.action for step in open_trajectory(rig.run.folder).steps] == [Tap(1, 1)]


def test_a_run_whose_program_died_says_that_no_agent_failed(rig):
    rig.run.step(rig.moment(), Complete())
    rig.run.close()
    folder = rig.run.folder
    (folder / ".lock").write_text('{"pid": 1, "host": "gone"}')
    recover(folder)
    header = open_trajectory(folder).header
    assert (header.status, header.outcome.status) == ("recovered", "")
    assert "ended before" in header.outcome.infrastructure
    assert read_judgements(folder).judgements == ()


def test_a_run_with_an_outcome_keeps_it_when_it_is_recovered(rig):
    rig.run.close()
    with TrajectoryWriter.open(rig.run.folder, ends_run=True) as writer:
        writer.update_header(outcome=Outcome("failure", "Lost"))
    (rig.run.folder / ".lock").write_text('{"pid": 1, "host": "gone"}')
    recover(rig.run.folder)
    assert open_trajectory(rig.run.folder).header.outcome == Outcome("failure", "Lost")
    assert replace(HEADER, kind="golden").is_run is False


def test_what_was_indexed_before_it_was_masked_leaves_the_catalogue(tmp_path):
    project = Project.create(tmp_path / "p")
    rig = RunRig(tmp_path)
    run = RunRecorder(begin_run(project, replace(HEADER, id="")), clock=rig.clock)
    run.step(rig.moment(), Type("hunter77", 8))
    assert run.flush(10)
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert catalogue.count("hunter77") == 1
    run.hide_typed("hunter77", on_screens=False)
    run.finish(Outcome("failure"))
    assert not [
        path for path in project.folder.rglob("*") if path.is_file() and b"hunter77" in path.read_bytes()
    ]
    rig.run.close()

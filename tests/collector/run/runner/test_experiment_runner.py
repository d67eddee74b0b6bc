"""The runner: every cell once, faults again and never an agent's, and a run that goes on where it was."""

from __future__ import annotations

import dataclasses
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from collector.agents.agent_trust import trust_request
from collector.anomalies.trust.command_trust import CommandTrust
from collector.model.errors import UserError
from collector.run.control.requests import PauseRun, ResumeRun
from collector.run.control.run_client import RunClient
from collector.run.control.runner_file import RunnerActive, find_runner
from collector.run.cycle.steering.control import Pause, Resume, StopEpisode
from collector.run.events import (
    ControlChanged,
    EpisodeBegan,
    EpisodeEnded,
    PhaseChanged,
    RunBegan,
    RunChanged,
    RunEnded,
    WorkerChanged,
)
from collector.run.experiment.agent_demands import agent_demands
from collector.run.experiment.model import AgentEntry, RunCondition
from collector.run.runner.fail_fast import ALWAYS, NEVER
from collector.run.runner.stored_episodes import read_episodes
from collector.run.stored_cells import stored_cells
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from tests.helpers import scripted_run
from tests.helpers.scripted_run import CELLS, EXPERIMENT, Script, make_project, make_runner, outcomes

ROOT = Path(__file__).parents[4]
FIRST = CELLS[0].id


@pytest.fixture(autouse=True, scope="module")
def _nothing_is_flushed():
    """No power is cut here: what a killed process wrote stays, flushed or not."""
    with pytest.MonkeyPatch.context() as patch:
        scripted_run.flush_nothing(patch.setattr)
        yield


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The outcomes of a run that nothing disturbed."""
    project = make_project(tmp_path_factory.mktemp("undisturbed"))
    summary = make_runner(project).run()
    assert (summary.how, summary.finished, summary.total) == ("finished", 6, 6)
    return outcomes(project)


class Running:
    """A runner on a thread of its own, and its events."""

    def __init__(self, project, and_then=lambda _event: None, *, is_paused=False, **values):
        """``and_then`` is called with each event, on the runner's thread."""
        self.events: queue.Queue = queue.Queue()
        self._and_then = and_then
        self.runner = make_runner(project, listener=self._note, **values)
        self.summary = None
        if is_paused:
            self.runner.pause_all()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _note(self, event):
        self.events.put(event)
        self._and_then(event)

    def _run(self):
        try:
            self.summary = self.runner.run()
        except UserError as error:
            self.summary = error

    def wait_for(self, kind, **values):
        while True:
            event = self.events.get(timeout=20)
            if isinstance(event, kind) and all(getattr(event, key) == value for key, value in values.items()):
                return event

    def end(self):
        self._thread.join(30)
        assert not self._thread.is_alive()
        return self.summary


def kinds(events):
    return [event.kind for event in events]


def test_workers_share_the_cells_and_their_number_changes_nothing(project, undisturbed):
    events = []
    summary = make_runner(project, 4, listener=events.append).run()
    assert outcomes(project) == undisturbed
    assert set(undisturbed) == {cell.id for cell in CELLS}
    assert (summary.how, summary.finished, summary.finished_before, summary.faults) == ("finished", 6, 0, 0)
    assert kinds(events)[0] == "run_began"
    assert kinds(events)[-1] == "run_ended"
    assert sum(counts.judged for counts in summary.counts) == 6
    assert [(counts.agent, counts.condition) for counts in summary.counts] == [
        ("golden", "baseline"), ("monkey", "baseline"),
    ]  # fmt: skip
    assert all(event.time for event in events)
    again = make_runner(project, 4).run()
    assert (again.finished, again.finished_before, again.not_run) == (6, 6, ())
    assert again.counts == summary.counts


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork and no SIGKILL")
def test_a_runner_killed_at_any_point_is_resumed(tmp_path, undisturbed):
    points = [f"event-{number}" for number in (1, 2, 5, 10, 19, 33)]
    points += [f"write-{number}" for number in (1, 6, 13, 24, 40, 55)]
    template = make_project(tmp_path / "template").folder
    for point in points:
        shutil.copytree(template, tmp_path / point / "project")
    killed = subprocess.run(
        [sys.executable, "-m", scripted_run.__name__, str(tmp_path), *points],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert killed.stdout.split() == [word for point in points for word in (point, "-9")], killed.stderr
    left = 0
    for point in points:
        project = Project.open(tmp_path / point / "project")
        summary = make_runner(project, 2).run()
        left += summary.total - summary.finished_before
        assert (summary.how, summary.finished, summary.not_run) == ("finished", 6, ())
        assert outcomes(project) == undisturbed, point
    assert len(points) < left < 6 * len(points), "the points lie all over the run"


def test_the_same_fault_again_and_again_ends_the_run_with_its_reason(project):
    always = {cell.id: ["model 7b at port 1"] * 9 for cell in CELLS if cell.agent == "golden"}
    script = Script(faults={name: list(faults) for name, faults in always.items()})
    summary = make_runner(project, 1, script).run()
    assert (summary.how, summary.faults) == ("failed", 3)
    assert "golden met the same fault 3 times in a row" in summary.reason
    assert "model 7b at port 1" in summary.reason
    assert len(summary.not_run) > 0
    never = Script(faults={name: list(faults) for name, faults in always.items()})
    summary = make_runner(project, 1, never, fail_fast=NEVER).run()
    assert (summary.how, len(summary.not_run)) == ("finished", 3)
    # Once an agent has a result, only ALWAYS ends the run.
    late = {cell.id: ["x"] * 9 for cell in CELLS[2:] if cell.agent == "golden"}
    faults = {name: list(words) for name, words in late.items()}
    assert make_runner(project, 1, Script(faults=faults)).run().how == "finished"
    faults = {name: list(words) for name, words in late.items()}
    assert make_runner(project, 1, Script(faults=faults), fail_fast=ALWAYS).run().how == "failed"


def test_an_agent_that_cannot_start_ends_the_run_before_a_phone_is_taken(project):
    program = AgentEntry("mine", "process", {"command": [sys.executable, "-c", "raise SystemExit('no GPU')"]})
    experiment = dataclasses.replace(EXPERIMENT, agents=(program,))
    cells = [dataclasses.replace(cell, agent="mine") for cell in CELLS[:1]]
    trust_request(project, agent_demands([program])).grant(CommandTrust(project))
    script = Script()
    summary = make_runner(project, 1, script, experiment=experiment, cells=cells).run()
    assert (summary.how, script.opened, summary.faults) == ("failed", 0, 0)
    assert "The agent mine cannot be started" in summary.reason
    assert "it wrote: no GPU" in summary.reason
    assert make_runner(project, 1, script, experiment=experiment, cells=cells, fail_fast=NEVER).run().how == (
        "finished"
    )
    # What cannot be replaced stays.
    (episode,) = read_episodes(project, "pilot")
    again = make_runner(project, 1, script, experiment=experiment, cells=cells, again="all").run()
    assert (again.how, again.finished, again.not_run) == ("failed", 1, ())
    assert [known.folder for known in read_episodes(project, "pilot")] == [episode.folder]


def test_a_fault_is_tried_again_and_is_nobodys_failure(project, undisturbed):
    script = Script(faults={FIRST: ["first", "second"]})
    events = []
    summary = make_runner(project, 2, script, listener=events.append).run()
    assert outcomes(project) == undisturbed
    assert (summary.faults, summary.not_run) == (2, ())
    ended = [event for event in events if isinstance(event, EpisodeEnded) and event.cell == FIRST]
    assert [(bool(event.infrastructure), event.will_retry) for event in ended] == [
        (True, True), (True, True), (False, False),
    ]  # fmt: skip
    attempts = [episode.header.episode.attempt for episode in read_episodes(project, "pilot")
                if episode.cell == FIRST]  # fmt: skip
    assert attempts == [0, 1, 2]


def test_a_cell_whose_attempts_are_used_up_is_not_run_and_not_counted(project, undisturbed):
    script = Script(faults={FIRST: ["x"] * 3, CELLS[1].id: [scripted_run.HOPELESS]})
    summary = make_runner(project, 1, script, fail_fast=NEVER).run()
    assert [(cell.cell, cell.reason) for cell in summary.not_run] == [
        (FIRST, "The phone is away: x"), (CELLS[1].id, "The phone is away: hopeless"),
    ]  # fmt: skip
    assert (summary.how, summary.finished, sum(counts.judged for counts in summary.counts)) == (
        "finished", 4, 4,
    )  # fmt: skip
    assert set(outcomes(project)) == set(undisturbed) - {FIRST, CELLS[1].id}
    resumed = make_runner(project).run()
    assert resumed.not_run == ()
    assert outcomes(project) == undisturbed


@pytest.mark.expected_log("the worker failed on")
def test_a_lost_worker_is_replaced_and_its_episode_ended(project, undisturbed):
    script = Script(faults={FIRST: [scripted_run.LOST], CELLS[2].id: [scripted_run.RAISE]})
    events = []
    summary = make_runner(project, 1, script, listener=events.append).run()
    assert outcomes(project) == undisturbed
    assert (summary.faults, script.opened, script.closed) == (2, 3, 3)
    gone = [event for event in events if isinstance(event, WorkerChanged) and event.state == "gone"]
    assert [event.problem for event in gone] == [
        "The worker process ended", "The worker failed: RuntimeError: a fault of ours",
    ]  # fmt: skip


def test_a_worker_lost_after_its_outcome_was_written_runs_no_cell_twice(project, undisturbed):
    def die(cell):
        if cell == FIRST:
            script.after_episode = lambda _cell: None
            raise scripted_run.WorkerLost("The worker process ended")

    script = Script(after_episode=die)
    summary = make_runner(project, 1, script).run()
    assert outcomes(project) == undisturbed
    assert summary.faults == 0


def test_a_phone_that_cannot_be_used_is_restarted(project):
    endpoint = [scripted_run.ENDPOINT] * 2
    script = Script(faults={FIRST: [scripted_run.UNUSABLE], CELLS[1].id: endpoint, CELLS[3].id: ["a", "b"]})
    summary = make_runner(project, 1, script).run()
    assert summary.not_run == ()
    assert summary.faults == 5
    assert script.restarts == 2, "once as it says so, once after two faults in a row; not for an endpoint"


def test_a_worker_that_cannot_be_opened_leaves_the_cells_to_the_others(project, undisturbed):
    script = Script(open_faults=["The phone is taken", "", "The phone is taken", "The phone is taken"])
    summary = make_runner(project, 2, script).run()
    assert summary.how == "finished"
    assert outcomes(project) == undisturbed


def test_a_run_without_workers_fails_with_their_reason_and_can_be_resumed(project, undisturbed):
    script = Script(open_faults=["The phone is taken"] * 9)
    events = []
    summary = make_runner(project, 2, script, listener=events.append).run()
    assert (summary.how, summary.reason, summary.finished) == ("failed", "The phone is taken", 0)
    assert (len(summary.not_run), events[-1].how) == (6, "failed")
    make_runner(project).run()
    assert outcomes(project) == undisturbed


def test_stopping_ends_the_episodes_and_the_run_goes_on_later(project, undisturbed):
    gate = threading.Event()
    script = Script(before_step=lambda cell, _step: gate.wait(20) if cell == CELLS[2].id else None)
    running = Running(project, workers=2, script=script)
    running.wait_for(PhaseChanged, cell=CELLS[2].id)
    running.runner.stop()
    running.wait_for(RunChanged, state="stopping")
    gate.set()
    summary = running.end()
    assert summary.how == "stopped"
    reasons = {cell.cell: cell.reason for cell in summary.not_run}
    assert reasons[CELLS[2].id] == "The run was stopped"
    assert summary.faults == 0
    # What was stopped is no fault: it waits for the next run.
    stopped = running.wait_for(EpisodeEnded, cell=CELLS[2].id)
    assert stopped.stopped
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        # The other worker may have been in an episode, too.
        reasons_stored = {row.infrastructure for row in catalogue.find("kind:run") if row.stopped}
        states = {cell.id: cell.status for cell in stored_cells(catalogue, "pilot")}
    assert states[CELLS[2].id] == "waiting"
    assert reasons_stored == {"The run was stopped"}
    resumed = make_runner(project).run()
    assert (resumed.how, resumed.finished_before) == ("finished", summary.finished)
    assert outcomes(project) == undisturbed


def test_pausing_from_another_process_holds_everything_until_it_is_resumed(project, undisturbed):
    gate = threading.Event()
    script = Script(before_step=lambda cell, _step: gate.wait(20) if cell == FIRST else None)
    running = Running(project, script=script)
    running.wait_for(PhaseChanged, cell=FIRST)
    seen: queue.Queue = queue.Queue()
    with RunClient.attach(project.paths, "pilot") as client:
        client.listen(seen.put)
        assert isinstance(seen.get(timeout=20), RunBegan)
        client.request(PauseRun()).result(timeout=20)
        assert script.shows_screens
        with pytest.raises(UserError, match=r"no worker nobody.*worker 1"):
            client.send("nobody", Pause()).result(timeout=20)
        gate.set()
        running.wait_for(ControlChanged, state="paused")
    # The watcher is gone; another one attaches and goes on.
    with RunClient.attach(project.paths, "pilot") as client:
        client.listen(seen.put)
        client.request(ResumeRun()).result(timeout=20)
        running.wait_for(RunChanged, state="running")
        assert running.end().how == "finished"
    assert outcomes(project) == undisturbed
    assert find_runner(project.paths, "pilot") is None


def test_who_attaches_before_the_first_worker_sees_screens_and_can_pause(project, undisturbed):
    """The window attaches while the agents are tried."""
    clients: list[RunClient] = []

    def attach(event):
        if isinstance(event, RunBegan):
            clients.append(RunClient.attach(project.paths, "pilot"))
            clients[0].listen(lambda _event: None)
            with pytest.raises(UserError, match="no worker nobody"):  # what comes before it was done
                clients[0].send("nobody", Pause()).result(timeout=20)

    script = Script()
    running = Running(project, script=script, and_then=attach)
    running.wait_for(EpisodeBegan)
    assert script.shows_screens
    assert running.end().how == "finished"
    clients[0].close()
    assert outcomes(project) == undisturbed


def test_a_pause_before_the_first_worker_holds_all_cells(project, undisturbed):
    running = Running(project, is_paused=True)
    running.wait_for(WorkerChanged, state="ready")
    running.runner.resume_all()
    running.wait_for(RunChanged, state="running")
    running.wait_for(EpisodeBegan, cell=FIRST)
    assert running.end().how == "finished"
    assert outcomes(project) == undisturbed


def test_a_worker_that_nothing_ends_does_not_keep_a_run_that_was_stopped(project, monkeypatch):
    monkeypatch.setattr("collector.run.runner.experiment_runner.STOP_S", 0.2)
    gate = threading.Event()
    running = Running(project, workers=1, script=Script(before_step=lambda _cell, _step: gate.wait(60)))
    running.wait_for(PhaseChanged)
    running.runner.stop()
    summary = running.end()
    assert (summary.how, summary.finished, gate.is_set()) == ("stopped", 0, False)
    gate.set()
    for thread in [thread for thread in threading.enumerate() if thread.name.startswith("run slot")]:
        thread.join()


def test_a_person_stops_one_episode_and_its_cell_is_run_when_the_run_is_resumed(project, undisturbed):
    gate = threading.Event()
    script = Script(before_step=lambda cell, _step: gate.wait(20) if cell == FIRST else None)
    running = Running(project, script=script)
    running.wait_for(PhaseChanged, cell=FIRST)
    running.runner.control("worker 1", StopEpisode())
    running.runner.control("worker 1", Resume())
    gate.set()
    ended = running.wait_for(EpisodeEnded, cell=FIRST)
    assert not ended.will_retry
    summary = running.end()
    assert [cell.cell for cell in summary.not_run] == [FIRST]
    assert summary.faults == 0
    make_runner(project).run()
    assert outcomes(project) == undisturbed


def test_a_full_disk_pauses_the_run_and_costs_no_attempt(project, undisturbed):
    free = [1 << 40]
    times = iter([1 << 20])

    def fill(cell, step):
        if cell == CELLS[1].id and step == 1:
            free[0] = next(times, free[0])

    script = Script(faults={CELLS[1].id: ["No space left"]}, before_step=fill)
    one_try = dataclasses.replace(EXPERIMENT, retries=0)
    running = Running(project, script=script, experiment=one_try, free_bytes=lambda: free[0])
    paused = running.wait_for(RunChanged, state="paused")
    assert "The disk is nearly full" in paused.reason
    free[0] = 1 << 40
    running.wait_for(RunChanged, state="running")
    summary = running.end()
    assert (summary.how, summary.not_run) == ("finished", ())
    assert outcomes(project) == undisturbed


def test_a_silent_worker_is_closed_and_its_cell_tried_again(project, undisturbed):
    stuck = threading.Event()

    def hang(cell, _step):
        if cell == FIRST and not stuck.is_set():
            stuck.set()
            worker_closed.wait(20)

    worker_closed = threading.Event()
    script = Script(before_step=hang)
    running = Running(project, script=script, silent_s=0.01)
    close = scripted_run.ScriptedWorker.close

    def closing(self):
        close(self)
        worker_closed.set()

    scripted_run.ScriptedWorker.close = closing
    try:
        summary = running.end()
    finally:
        scripted_run.ScriptedWorker.close = close
    assert summary.faults >= 1
    make_runner(project).run()
    assert outcomes(project) == undisturbed


def test_an_experiment_has_one_runner_at_a_time(project):
    gate = threading.Event()
    script = Script(before_step=lambda _cell, _step: gate.wait(20))
    running = Running(project, script=script)
    running.wait_for(EpisodeBegan)
    with pytest.raises(RunnerActive, match=f"process {os.getpid()}"):
        make_runner(project).run()
    running.runner.stop()
    running.wait_for(RunChanged, state="stopping")
    gate.set()
    running.end()
    running.wait_for(RunEnded, how="stopped")


def test_finished_cells_are_run_again_when_asked_and_their_episodes_can_be_restored(project, undisturbed):
    make_runner(project).run()
    before = {episode.folder.name for episode in read_episodes(project, "pilot")}
    summary = make_runner(project, 1, again="all").run()
    assert (summary.finished_before, summary.finished) == (0, 6)
    assert outcomes(project) == undisturbed
    assert {path.name for path in project.paths.trash.glob("*/*")} >= before


def test_finished_episodes_of_other_settings_are_named(project):
    make_runner(project).run()
    plan = make_runner(project).plan()
    assert (plan.missing, plan.stale, plan.unknown) == ((), {}, ())
    changed = dataclasses.replace(EXPERIMENT, budget=99)
    plan = make_runner(project, experiment=changed).plan()
    assert (plan.missing, set(plan.stale.values()), len(plan.stale)) == ((), {("settings",)}, 6)
    other = [*CELLS, dataclasses.replace(CELLS[0], seed=8)]
    plan = make_runner(project, cells=other).plan()
    assert [cell.seed for cell in plan.missing] == [8]


LIBRARY = """interference_library:
  - id: ad
    target_activity: OneButtonDialogActivity
    params: {{param_title: "{title}"}}
"""
INJECTING = """rules:
  - id: soon
    conditions: {{all: [{{type: min_step, value: {step}}}]}}
    actions: [{{type: inject_interference, interference_id: ad}}]
"""
SUCCESS = "shop-1: {{conditions: [{{type: element_exists, selector: \"text='{text}'\"}}]}}\n"
STATES = (
    "states:\n  - {{id: shown, sentence: {sentence}, conditions: {{all: [{{type: min_step, value: 1}}]}}}}\n"
)


def test_what_changed_since_is_named_part_by_part_and_run_again(project):
    """A stale result never passes in silence, and `again` repeats those cells alone."""
    paths = project.paths

    def write(*, title="Ad", step=1, text="Done", sentence="It is shown"):
        for path, content in (
            (paths.library, LIBRARY.format(title=title)),
            (paths.rule_file("injection"), INJECTING.format(step=step)),
            (paths.rule_file("success"), SUCCESS.format(text=text)),
            (paths.rule_file("state"), STATES.format(sentence=sentence)),
        ):
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")

    def save(instruction="Do shop-1", **values):
        first, *others = Project.open(project.folder).tasks
        changed = dataclasses.replace(
            first, instruction=instruction, rule_key="shop-1", essential_states=("shown",), **values
        )
        Project.open(project.folder).save_tasks([changed, *others])

    write()
    save()
    by_rules = RunCondition("by-rules", rules=())
    experiment = dataclasses.replace(EXPERIMENT, conditions=(*EXPERIMENT.conditions, by_rules))
    matrix = [*CELLS, dataclasses.replace(CELLS[0], condition="by-rules")]

    def stale():
        plan = make_runner(project, experiment=experiment, cells=matrix).plan()
        return {parts: sum(parts == other for other in plan.stale.values()) for parts in plan.stale.values()}

    make_runner(project, experiment=experiment, cells=matrix).run()
    assert stale() == {}
    paths.library.write_text("# a comment\n" + LIBRARY.format(title="Ad"), encoding="utf-8")
    assert stale() == {}
    for change in ({"title": "Buy"}, {"step": 2}):
        write(**change)
        assert stale() == {("condition",): 1}, change
    write(text="Bought")
    of_shop_1 = sum(cell.task == "shop-1" for cell in matrix)
    assert stale() == {("rules",): of_shop_1}
    write(sentence="All of it is shown")
    assert stale() == {("states",): of_shop_1}
    write()
    save("Buy two")
    assert stale() == {("task",): of_shop_1}
    summary = make_runner(project, experiment=experiment, cells=matrix, again="changed").run()
    assert (summary.finished_before, summary.finished) == (len(matrix) - of_shop_1, len(matrix))
    assert stale() == {}


def test_only_the_episodes_without_success_are_run_again(project):
    make_runner(project).run()
    episodes = read_episodes(project, "pilot")
    path = episodes[0].folder / "trajectory.json"
    document = json.loads(path.read_text("utf-8"))
    document["outcome"]["status"] = "success"
    path.write_text(json.dumps(document), encoding="utf-8")
    failed = {episode.cell for episode in episodes[1:] if episode.outcome.status != "success"}
    plan = make_runner(project, again="failed").plan()
    assert {cell.id for cell in plan.missing} == failed > set()


def test_an_episode_of_an_older_version_does_not_say_what_made_it(project):
    make_runner(project).run()
    for episode in read_episodes(project, "pilot")[:2]:
        path = episode.folder / "trajectory.json"
        document = json.loads(path.read_text("utf-8"))
        document["episode"].pop("fingerprint")
        path.write_text(json.dumps(document), encoding="utf-8")
    plan = make_runner(project).plan()
    assert (len(plan.unknown), plan.stale, plan.missing) == (2, {}, ())


def test_another_prompt_or_script_in_the_same_file_is_another_setting(project):
    prompt = "---\ndialect: ui-tars\n---\n=== system ===\nTap.\n=== user ===\n{task}\n"
    model = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "prompt": "own.prompt"}
    entries = (
        AgentEntry("golden", "openai", model),
        AgentEntry("monkey", "scripted", {"file": "script-{task}.yaml"}),
    )
    experiment = dataclasses.replace(EXPERIMENT, agents=entries)
    (project.folder / "own.prompt").write_text(prompt, encoding="utf-8")
    for task in EXPERIMENT.tasks:
        (project.folder / f"script-{task}.yaml").write_text("- complete\n", encoding="utf-8")
    make_runner(project, experiment=experiment, fail_fast=NEVER).run()  # nobody has allowed the model

    def changed():
        plan = make_runner(project, experiment=experiment).plan()
        return sorted(tuple(cell.split(" / ")[:2]) for cell in plan.stale)

    assert changed() == []
    (project.folder / "own.prompt").write_bytes(prompt.replace("\n", "\r\n").encode())
    assert changed() == []
    (project.folder / "script-shop-2.yaml").write_text("- {tap: [1, 2]}\n", encoding="utf-8")
    assert changed() == [("shop-2", "monkey")]
    (project.folder / "own.prompt").write_text(prompt.replace("Tap.", "Swipe."), encoding="utf-8")
    assert changed() == [
        ("note-1", "golden"),
        ("shop-1", "golden"),
        ("shop-2", "golden"),
        ("shop-2", "monkey"),
    ]

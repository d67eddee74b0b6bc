"""A run is watched and steered from other processes, and no watcher makes it wait."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import socket
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from collector.model.action import Tap
from collector.model.errors import UserError
from collector.run.control.requests import (
    PauseRun,
    ResumeRun,
    SteerWorker,
    StopRun,
    request_from_line,
    request_to_line,
)
from collector.run.control.run_client import RunClient, send_request
from collector.run.control.run_log import RunLog
from collector.run.control.run_server import RunServer
from collector.run.control.run_snapshot import RunSnapshot
from collector.run.control.runner_file import (
    NoRunner,
    RunnerActive,
    RunnerFile,
    find_runner,
    running_runners,
)
from collector.run.control.watcher_queue import EventLine, WatcherQueue
from collector.run.cycle.steering.control import (
    Pause,
    PersonAction,
    Resume,
    ShowScreens,
    SingleStep,
    StopEpisode,
    TakeOver,
)
from collector.run.events import (
    ActionPredicted,
    ControlChanged,
    EpisodeBegan,
    EpisodeEnded,
    PhaseChanged,
    RunBegan,
    RunChanged,
    RunEnded,
    ScreenObserved,
    WorkerChanged,
    from_line,
)
from collector.store.files.layout import ProjectPaths

COMMANDS = [
    Pause(), Resume(), SingleStep(), TakeOver("ann"), PersonAction(Tap(3, 4)), StopEpisode(),
    ShowScreens(wanted=True),
]  # fmt: skip
CELL = {"worker": "w1", "cell": "c1"}


def began(cell="c1", worker="w1"):
    return EpisodeBegan(
        worker=worker, cell=cell, task="t", agent="a", condition="b", trajectory="x", budget=3
    )


def screen(picture=b"jpeg", **values):
    return ScreenObserved(**{**CELL, "step": 1, "picture": picture, **values})


class Running:
    """A served run, as the runner serves it."""

    def __init__(self, folder, name="pilot"):
        self.paths = ProjectPaths(folder)
        self.requests: queue.Queue = queue.Queue()
        self.watching: queue.Queue = queue.Queue()
        self.file = RunnerFile.hold(self.paths, name)
        self.server = RunServer(name, self.take, self.watching.put)
        self.file.publish(self.server.port, self.server.token)

    def take(self, request):
        if request == SteerWorker("nobody", Pause()):
            raise UserError("There is no worker nobody", "", "Look at the list")
        self.requests.put(request)

    def __enter__(self):
        return self

    def __exit__(self, *_details):
        self.server.close()
        self.file.release()


@pytest.fixture
def running(tmp_path):
    with Running(tmp_path) as served:
        yield served


@pytest.mark.parametrize(
    "request_", [PauseRun(), ResumeRun(), StopRun(), *(SteerWorker("w", command) for command in COMMANDS)]
)
def test_a_request_survives_json(request_):
    assert request_from_line(json.loads(json.dumps(request_to_line(request_)))) == request_


@pytest.mark.parametrize(
    "line",
    [{}, {"do": "fly"}, {"do": "steer", "worker": "w"}, {"do": "steer", "command": {"kind": "x"}},
     {"do": "steer", "command": {"kind": "act"}}, {"do": "steer", "command": {"kind": "act", "action": {}}}],
)  # fmt: skip
def test_what_is_no_request_is_refused(line):
    with pytest.raises(ValueError, match=r".+"):
        request_from_line(line)


def test_a_watcher_sees_the_present_then_what_happens_and_steers(running):
    history = [RunBegan(experiment="pilot", total=2, done=0), WorkerChanged(worker="w1", state="ready"),
               began("c0"), EpisodeEnded(worker="w1", cell="c0", trajectory="x", status="success"),
               began(), screen(b"first"), screen(b"second"),
               PhaseChanged(**CELL, step=1, phase="think"), PhaseChanged(**CELL, step=1, phase="act"),
               ActionPredicted(**CELL, step=1, caption="tap")]  # fmt: skip
    for event in history:
        running.server.publish(event)
    seen: queue.Queue = queue.Queue()
    with RunClient.attach(running.paths, "pilot") as client:
        client.listen(seen.put, lambda: seen.put(None))
        present = [seen.get(timeout=10) for _ in range(7)]
        assert present[:2] == history[:2]
        assert [event.cell for event in present[2:4]] == ["c0", "c1"]
        assert present[4:] == [screen(b"second"), history[8], history[9]]
        assert running.watching.get(timeout=10) is True
        later = RunChanged(state="paused", reason="The disk is full")
        running.server.publish(later)
        assert seen.get(timeout=10) == later
        for command in COMMANDS:
            client.send("w1", command).result(timeout=10)
            assert running.requests.get(timeout=10) == SteerWorker("w1", command)
        for request in (PauseRun(), ResumeRun(), StopRun()):
            client.request(request).result(timeout=10)
            assert running.requests.get(timeout=10) == request
        send_request(running.paths, "pilot", StopRun())
        assert running.requests.get(timeout=10) == StopRun()
        with pytest.raises(UserError, match="There is no worker nobody"):
            client.send("nobody", Pause()).result(timeout=10)
        running.server.publish(RunEnded(how="finished"))
        running.server.close()
        assert seen.get(timeout=10) == RunEnded(how="finished")
        assert seen.get(timeout=10) is None
        assert client.ended == RunEnded(how="finished")
        with pytest.raises(NoRunner):
            client.request(PauseRun()).result(timeout=10)
    assert running.watching.get(timeout=10) is False


def test_watchers_come_and_go_and_the_run_goes_on(running):
    running.server.publish(RunBegan(experiment="pilot", total=1, done=0))
    clients = [RunClient.attach(running.paths, "pilot", pictures=number % 2 == 0) for number in range(4)]
    streams = [client.events() for client in clients]
    assert {next(stream) for stream in streams} == {RunBegan(experiment="pilot", total=1, done=0)}
    assert running.watching.get(timeout=10) is True
    running.server.publish(began())
    running.server.publish(screen(b"picture"))
    for number, stream in enumerate(streams):
        assert next(stream) == began()
        assert next(stream).picture == (b"picture" if number % 2 == 0 else b"")
    for client in clients:
        client.close()
    assert running.watching.get(timeout=10) is False
    with RunClient.attach(running.paths, "pilot") as again:
        assert [next(again.events()).kind for _ in range(1)] == ["run_began"]


def test_a_stranger_hears_nothing(running):
    for greeting in (b'{"token":"wrong"}\n', b"GET / HTTP/1.0\r\n\r\n", b"{}\n", b"[1]\n", b"x" * 10000):
        with socket.create_connection(("127.0.0.1", running.server.port), timeout=10) as stranger:
            stranger.sendall(greeting)
            with contextlib.suppress(ConnectionResetError):  # what was sent too much was not read
                assert stranger.recv(100) == b""
    assert running.watching.empty()


def test_nonsense_from_a_watcher_is_answered(running):
    address = find_runner(running.paths, "pilot")
    with (
        socket.create_connection(("127.0.0.1", running.server.port), timeout=10) as watcher,
        watcher.makefile("rb") as lines,
    ):
        watcher.sendall(json.dumps({"token": address.token}).encode() + b"\n")
        assert json.loads(lines.readline())["protocol"] == 1
        watcher.sendall(b'{"do":"fly","number":7}\n')
        # The present of the run comes meanwhile.
        reply = next(line for line in map(json.loads, lines) if "reply" in line)
        assert reply["reply"] == 7
        assert "fly" in reply["refused"]
        watcher.sendall(b"[[[\n")
        assert not [line for line in map(json.loads, lines) if "reply" in line]


def test_a_watcher_that_reads_nothing_does_not_slow_the_run(running):
    running.server.publish(RunBegan(experiment="pilot", total=1, done=0))
    with RunClient.attach(running.paths, "pilot") as client:
        stream = client.events()
        next(stream)
        running.server.publish(began())
        for step in range(6000):  # 60 MB of pictures, more than any socket holds
            running.server.publish(screen(bytes(10_000), step=step))
        running.server.publish(PhaseChanged(**CELL, step=6000, phase="act"))
        steps = []
        for event in stream:
            if isinstance(event, ScreenObserved):
                steps.append(event)
            if isinstance(event, PhaseChanged):
                break
        assert steps[-1].step == 5999
        assert steps[-1].picture, "the newest picture always comes"
        assert sum(bool(step.picture) for step in steps) < 6000


def test_only_the_newest_picture_of_a_worker_waits():
    queued = WatcherQueue(lambda itself: itself.caught_up() or [b"snapshot"], pictures=True, most=4)
    assert queued.take() == b"snapshot"
    lines = [EventLine(screen(bytes([step]), step=step, worker=worker))
             for step in range(2) for worker in ("w1", "w2")]  # fmt: skip
    for line in lines:
        queued.add(line)
    assert [queued.take() for _ in lines] == [
        lines[0].plain, lines[1].plain, lines[2].whole, lines[3].whole,
    ]  # fmt: skip
    for number in range(5):
        queued.add(EventLine(RunChanged(state=str(number))))
    queued.reply(b"reply")
    queued.close()
    assert [queued.take(), queued.take(), queued.take()] == [b"reply", b"snapshot", None]


def test_a_snapshot_of_a_long_episode_stays_small():
    snapshot = RunSnapshot()
    snapshot.add(RunBegan(experiment="pilot", total=1, done=0))
    snapshot.add(began())
    snapshot.add(ControlChanged(**CELL, state="paused"))
    for step in range(5000):
        snapshot.add(screen(step=step))
        snapshot.add(ActionPredicted(**CELL, step=step))
    snapshot.add(ActionPredicted(worker="w1", cell="another", step=1))
    events = snapshot.events()
    assert len(events) < 500
    assert events[2].state == "paused"
    assert [event.step for event in events if isinstance(event, ScreenObserved)] == [4999]
    assert events[-1] == ActionPredicted(**CELL, step=4999)


def test_an_experiment_has_one_runner_and_others_find_it(tmp_path):
    paths = ProjectPaths(tmp_path)
    with Running(tmp_path), Running(tmp_path, "other"):
        assert [runner.experiment for runner in running_runners(paths)] == ["other", "pilot"]
        address = find_runner(paths, "pilot")
        assert (address.pid, address.is_here) == (os.getpid(), True)
        if os.name != "nt":
            assert stat.S_IMODE(paths.runner_file("pilot").stat().st_mode) == 0o600
        with pytest.raises(RunnerActive, match=f"process {os.getpid()}"):
            RunnerFile.hold(paths, "pilot")
    assert running_runners(paths) == []
    with pytest.raises(NoRunner):
        RunClient.attach(paths, "pilot")


def test_the_file_of_a_dead_runner_belongs_to_nobody(tmp_path):
    paths = ProjectPaths(tmp_path)
    program = (
        "import os, sys; from pathlib import Path; from collector.store.files.layout import ProjectPaths\n"
        "from collector.run.control.runner_file import RunnerFile\n"
        "RunnerFile.hold(ProjectPaths(Path(sys.argv[1])), 'pilot').publish(1234, 'x'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert paths.runner_file("pilot").exists()
    assert find_runner(paths, "pilot") is None
    # Several who look at once are not runners to each other.
    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(lambda _: find_runner(paths, "pilot"), range(300))) == {None}
    held = RunnerFile.hold(paths, "pilot")
    held.publish(1, "token")
    found = find_runner(paths, "pilot")
    assert found is not None
    assert (found.pid, found.port) == (os.getpid(), 1)
    held.release()
    assert find_runner(paths, "pilot") is None


def test_a_client_waits_for_a_runner_that_is_starting(tmp_path):
    paths = ProjectPaths(tmp_path)
    held = RunnerFile.hold(paths, "pilot")
    server = RunServer("pilot", lambda _request: None)
    late = threading.Timer(0.1, lambda: held.publish(server.port, server.token))
    late.start()
    with RunClient.attach(paths, "pilot", patience_s=10):
        pass
    late.join()
    server.close()
    held.release()


def test_the_log_holds_every_event_without_pictures(tmp_path):
    log = RunLog(tmp_path / "runner" / "log.jsonl")
    log.add(began())
    log.add(screen(b"jpeg"))
    log.close()
    again = RunLog(tmp_path / "runner" / "log.jsonl")
    again.add(RunEnded(how="finished"))
    again.close()
    lines = (tmp_path / "runner" / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert [from_line(json.loads(line)) for line in lines] == [
        began(), screen(b""), RunEnded(how="finished"),
    ]  # fmt: skip


@pytest.mark.expected_log("cannot be written")
def test_a_log_that_cannot_be_written_stops_nothing(tmp_path):
    (tmp_path / "runner").write_text("a file in the way")
    log = RunLog(tmp_path / "runner" / "log.jsonl")
    log.add(began())
    log.close()

"""A text that turns out to be a password is masked in what was told and logged, and names stay."""

from __future__ import annotations

import json
import pickle
import tracemalloc
from dataclasses import replace

import pytest

from collector.model.action import Tap, Type, action_to_dict
from collector.run.control.event_masking import masked_event
from collector.run.control.run_client import RunClient
from collector.run.control.run_log import RunLog
from collector.run.control.run_server import RunServer
from collector.run.control.run_snapshot import RunSnapshot
from collector.run.control.runner_file import RunnerFile
from collector.run.control.runner_output import hide_in_output
from collector.run.events import (
    ActionPredicted,
    EpisodeBegan,
    EpisodeEnded,
    RunBegan,
    TextsHidden,
    WorkerChanged,
    from_line,
    to_line,
)
from collector.store.files.layout import ProjectPaths
from collector.store.redaction.screens import MASK
from collector.store.redaction.secret_text import SecretTexts

SECRET = "hunter22"
SECRETS = SecretTexts([SECRET])
CELL = {"worker": SECRET, "cell": SECRET}
BEGAN = EpisodeBegan(
    **CELL, task="t", agent="a", condition="b", trajectory=SECRET, budget=3, instruction=f"Type {SECRET}"
)
PREDICTED = ActionPredicted(
    **CELL, step=1, thought="Now HUNTER22", caption=f"Type '{SECRET}'", action=action_to_dict(Type(SECRET, 8))
)
EVENTS = [
    RunBegan(experiment="pilot", total=1, done=0), WorkerChanged(worker=SECRET, state="gone", problem=SECRET),
    BEGAN, PREDICTED,
]  # fmt: skip


def test_what_is_said_in_an_event_is_masked_and_its_names_are_not() -> None:
    masked = masked_event(PREDICTED, SECRETS)
    assert masked == replace(
        PREDICTED, thought=f"Now {MASK}", caption=f"Type '{MASK}'", action=action_to_dict(Type(redacted=True))
    )
    assert masked_event(BEGAN, SECRETS).instruction == f"Type {MASK}"
    tap = replace(PREDICTED, thought="", caption="", action=action_to_dict(Tap(1, 2)))
    assert masked_event(tap, SECRETS) is tap
    assert masked_event(replace(tap, action={"kind": "dance", "of": SECRET}), SECRETS).action["of"] == MASK


def test_hidden_texts_are_in_no_line_and_no_repr() -> None:
    event = TextsHidden(worker="w", cell="c", texts=(SECRET,))
    assert SECRET not in json.dumps(to_line(event)) + repr(event)
    assert from_line(to_line(event)) is None
    assert pickle.loads(pickle.dumps(event)) == event, "a worker in another process says it"


def test_the_snapshot_of_a_run_is_masked() -> None:
    snapshot = RunSnapshot()
    for event in (*EVENTS, EpisodeEnded(worker="w", cell="other", trajectory="", infrastructure=SECRET)):
        snapshot.add(event)
    assert snapshot.hide(SECRETS)
    assert not snapshot.hide(SECRETS)
    said = [to_line(event) for event in snapshot.events()]
    assert [line.get("thought") for line in said if "thought" in line] == [f"Now {MASK}"]
    assert [line["infrastructure"] for line in said if "infrastructure" in line] == [MASK]
    assert [line["problem"] for line in said if "problem" in line] == [MASK]


def test_who_watches_is_told_the_present_anew(tmp_path) -> None:
    paths = ProjectPaths(tmp_path)
    server = RunServer("pilot", lambda _request: None)
    held = RunnerFile.hold(paths, "pilot")
    try:
        held.publish(server.port, server.token)
        for event in EVENTS:
            server.publish(event)
        with RunClient.attach(paths, "pilot") as client:
            events = client.events()
            assert [next(events) for _event in EVENTS][-1] == PREDICTED
            server.hide(SECRETS)
            again = [next(events) for _event in EVENTS]
            assert (again[0], again[-1].thought) == (EVENTS[0], f"Now {MASK}")
            server.hide(SECRETS)  # nothing is left to be said anew
            server.publish(PREDICTED)
            assert next(events) == PREDICTED
    finally:
        server.close()
        held.release()


def test_the_log_is_masked_also_of_earlier_runs_and_goes_on(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f'{{"kind": "old", "reason": "{SECRET}", "worker": "{SECRET}"}}\nno JSON {SECRET}\n')
    log = RunLog(path)
    log.add(PREDICTED)
    log.hide(SECRETS)
    log.add(BEGAN)
    log.close()
    old, torn, predicted, began = path.read_text().splitlines()
    assert json.loads(old) == {"kind": "old", "reason": MASK, "worker": SECRET}
    assert torn == f"no JSON {MASK}"
    assert from_line(json.loads(predicted)) == masked_event(PREDICTED, SECRETS)
    assert from_line(json.loads(began)) == BEGAN
    log.hide(SECRETS)
    assert path.read_text().splitlines()[-1] == began, "a closed log is left alone"


def test_a_long_log_is_masked_without_being_held_in_memory(tmp_path) -> None:
    path, count = tmp_path / "log.jsonl", 4_000  # Python 3.14 reads and writes files by 128 KB
    path.write_text((json.dumps({"kind": "old", "reason": "nothing to hide " * 20}) + "\n") * count)
    log = RunLog(path)
    log.add(PREDICTED)
    tracemalloc.start()
    log.hide(SECRETS)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    log.close()
    assert most < path.stat().st_size / 2
    *others, last = path.read_text().splitlines()
    assert len(others) == count
    assert from_line(json.loads(last)) == masked_event(PREDICTED, SECRETS)


@pytest.mark.parametrize("line", [f"worker-1: lost: {SECRET} is wrong", SECRET])
def test_a_line_that_was_printed_is_written_over_in_place(tmp_path, line) -> None:
    path = tmp_path / "output.log"
    before = f"first\n{line}\nlast, and no line break"
    path.write_text(before)
    with path.open("ab") as writing:
        hide_in_output(path, SECRETS)
        writing.write(b"; goes on")
    first, masked, last = path.read_text().splitlines()
    assert (first, last) == ("first", "last, and no line break; goes on")
    assert masked.strip() in (MASK, "")
    assert path.stat().st_size == len(before.encode()) + len("; goes on")
    hide_in_output(tmp_path / "missing.log", SECRETS)

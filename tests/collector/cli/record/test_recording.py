"""What is typed while ``waymark record`` records, and when it ends by itself."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from collector.cli.record.recording import _obey, _outcome, _tell_outcome
from collector.cli.record.typed_lines import STOP, TypedLines
from collector.cli.record.verbs import record
from collector.judge.evaluation.steps_evaluation import LiveVerdicts, ReachedAt
from collector.model.errors import UserError
from collector.recorder.events import Phase
from collector.store.project.project import Project


class Spy:
    """Stands for a recorder: notes what it is told."""

    def __init__(self) -> None:
        self.phase, self.done, self.next_index = Phase.RECORDING, [], 1

    def undo(self) -> None:
        self.done.append("undo")

    def pause(self) -> None:
        self.done.append("pause")
        self.phase = Phase.PAUSED

    def resume(self) -> None:
        self.done.append("resume")
        self.phase = Phase.RECORDING


def obeyed(
    lines: list[str], *, by_itself: bool = False, done: ReachedAt | None = None, steps: int = 1
) -> tuple[str, bool, list[str]]:
    typed, recorder = TypedLines(), Spy()
    for line in lines:
        typed.put(line)
    recorder.next_index = steps

    def finish() -> bool:
        if not steps:
            raise UserError("Nothing is recorded yet")
        return True

    recording = SimpleNamespace(recorder=recorder, verdicts=LiveVerdicts(done=done), finish=finish)
    return *_obey(recording, typed, by_itself=by_itself), recorder.done


@pytest.mark.parametrize(
    ("lines", "word", "done"),
    [
        (["", "n"], "", []),
        ([" F "], "f", []),
        (["p", "P", "u", "n"], "n", ["pause", "resume", "undo"]),
        (["nonsense", "q"], "q", []),
        ([STOP], STOP, []),
    ],
)
def test_words_do_what_they_say_and_end_it(lines, word, done):
    assert obeyed(lines) == (word, word in ("", "f", "n"), done)


def test_it_ends_by_itself_once_the_rules_hold_and_only_where_that_was_asked():
    done = ReachedAt(3, "the mug is saved")
    assert obeyed([], by_itself=True, done=done) == ("", True, [])
    assert obeyed(["q"], by_itself=False, done=done) == ("q", False, [])


def test_without_an_action_nothing_is_finished_and_it_goes_on(capsys):
    done = ReachedAt(0, "it was so from the start")
    assert obeyed(["", "n", "p", "q"], by_itself=True, done=done, steps=0) == ("q", False, ["pause"])
    assert capsys.readouterr().err.count("Nothing is recorded yet") == 2


def test_a_recording_without_a_step_is_said_not_to_be_kept(tmp_path):
    said, outcome = [], _outcome(tmp_path / "shop-1" / "20261130-102648-6766", "shop-1")
    _tell_outcome(said.append, outcome, is_finished=False)
    assert said == ["Nothing was recorded: 20261130-102648-6766 is not kept"]
    assert (outcome["status"], outcome["steps"]) == ("discarded", 0)


def test_a_task_that_is_not_there_is_refused_before_a_phone_is_asked(tmp_path):
    Project.create(tmp_path, "Empty")
    result = CliRunner().invoke(record, ["nothing", "--project", str(tmp_path), "--device", "nobody"])
    assert isinstance(result.exception, UserError)
    assert "The project has no task nothing" in str(result.exception)

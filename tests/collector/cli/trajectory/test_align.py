"""``waymark trajectory align`` and ``diff``: the trajectories of the sample, in words and as JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.comparison.alignment import aligned
from collector.sharing import shared_review
from tests.helpers.long_sample import long_sample

SAMPLE = Path(__file__).resolve().parents[4] / "assets" / "sample"


def align(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert command.main(["trajectory", "align", *arguments, "--project", str(SAMPLE)]) == status
    printed = capsys.readouterr()
    return printed.out or printed.err


def run_of(agent: str, condition: str = "") -> str:
    (folder,) = (SAMPLE / "trajectories/todo-04").glob(f"quick__{agent}__todo-04__{condition}s1__*")
    return folder.name


def test_a_run_under_an_anomaly_is_aligned_with_golden_and_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ("todo-04-lin", run_of("careful"), run_of("careful", "app-crash__"))
    document = json.loads(align(capsys, *names, "--json"))
    assert (document["steps_from"], [each["id"] for each in document["trajectories"]]) == (0, list(names))
    assert [slot["steps"] for slot in document["slots"]] == [
        [0, 0, 0], [1, 1, 1], [None, None, 2], [None, None, 3], [2, 2, 4], [3, 3, 5],
    ]  # fmt: skip
    baseline, interrupted = document["comparisons"]
    assert baseline["first_divergence"] is None
    assert interrupted["first_divergence"] == 2
    assert [each["kind"] for each in interrupted["differences"]] == ["anomaly"]
    assert [each["back"] for each in interrupted["recoveries"]] == [4]


def test_differences_are_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    printed = align(capsys, "todo-04-lin", run_of("careful", "app-crash__"))
    assert "it diverges at slot 3" in printed
    assert "2 steps under the anomaly app_crash" in printed
    assert "It is back on the path of the reference at step 5, after 2 steps more" in printed
    assert "does what the reference does" in align(capsys, "todo-04-lin", run_of("golden"))


@pytest.mark.parametrize("names", [("todo-04-lin",), ("todo-04-lin",) * 5])
def test_two_to_four_trajectories_are_asked_for(
    capsys: pytest.CaptureFixture[str], names: tuple[str, ...]
) -> None:
    assert "Give two to 4 trajectories" in align(capsys, *names, status=2)


def test_an_unknown_trajectory_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no trajectory 'nothing'" in align(capsys, "todo-04-lin", "nothing", status=1)


def diff(capsys: pytest.CaptureFixture[str], *arguments: str, status: int) -> str:
    assert command.main(["trajectory", "diff", *arguments, "--project", str(SAMPLE)]) == status
    printed = capsys.readouterr()
    return printed.out or printed.err


def test_states_are_compared_where_both_have_a_step(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(diff(capsys, "todo-04-lin", "todo-04-sara", "--json", status=1))
    assert document["first_divergence"] == 0
    last = document["states"][-1]
    assert last["steps"] == [3, 7]
    assert [node["label"] for node in last["tree"]["added"]] == ["Undo"]
    assert "Task deleted" in last["texts"]["added"]
    assert 0 < last["pixels"]["share"] < 0.02
    printed = diff(capsys, "todo-04-lin", "todo-04-sara", "--slot", str(last["slot"] + 1), status=1)
    assert f"Slot {last['slot'] + 1}: step 4 and step 8" in printed
    assert "+ Undo" in printed
    assert "% of the pixels differ" in printed


def test_a_trajectory_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(capsys, "shop-14-lin", "shop-14-lin", status=0) == "Both do the same\n"
    assert "There is no slot 99" in diff(capsys, "shop-14-lin", "shop-14-lin", "--slot", "99", status=2)


def test_slots_are_filtered_by_words_and_keys(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("todo-04-lin", run_of("careful", "app-crash__"))
    query = ("--where", "action:open_app difference:anomaly")
    document = json.loads(align(capsys, *names, *query, "--json"))
    assert document["matching"] == [3]
    assert len(document["slots"]) == 6
    printed = align(capsys, *names, *query).splitlines()
    assert [line.split()[0] for line in printed[:2]] == ["SLOT", "4"]
    assert "2 steps under the anomaly app_crash" in "\n".join(printed)
    assert "Steps have no search key actoin" in align(capsys, *names, "--where", "actoin:tap", status=1)


def test_zip_files_are_aligned_compared_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = SAMPLE / "trajectories/todo-04/todo-04-lin"
    packed = shutil.make_archive(str(tmp_path / "golden"), "zip", golden)
    document = json.loads(align(capsys, packed, run_of("careful", "app-crash__"), "--json"))
    assert document["trajectories"][0]["folder"] == packed
    assert document["comparisons"][0]["first_divergence"] == 2
    assert command.main(["trajectory", "diff", packed, str(golden)]) == 0
    shown = []
    for reference in (packed, str(golden)):
        capsys.readouterr()
        assert command.main(["trajectory", "show", reference]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert command.main(["trajectory", "show", packed, "--follow"]) == 2
    assert "zip file is never written to" in capsys.readouterr().err


def test_a_screen_of_another_size_with_the_same_on_it_is_no_difference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = json.loads(diff(capsys, "todo-04-lin", run_of("golden"), "--json", status=0))
    assert len(document["states"]) == 4
    assert all(
        state["tree"]["moved"] == [] and not state["pixels"]["regions"] for state in document["states"]
    )
    assert diff(capsys, "todo-04-lin", run_of("golden"), status=0) == "Both do the same\n"


def test_screens_that_a_long_run_shows_again_are_compared_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [str(long_sample(tmp_path / who, who, 90, tasks="todo-0*")) for who in ("lin", "sara")]
    compared: list[int] = []
    for user in (aligned, shared_review):
        compare = user.state_difference
        monkeypatch.setattr(
            user, "state_difference", lambda *screens, do=compare: compared.append(1) or do(*screens)
        )
    printed = diff(capsys, *folders, status=1)
    states = json.loads(diff(capsys, *folders, "--json", status=1))["states"]
    of_both, shown = len(compared) // 2, len(states)
    assert 0 < of_both < shown / 3
    assert printed.count("Slot ") > of_both / 2
    compared.clear()
    page = tmp_path / "page.html"
    assert command.main(["review", "export", *folders, "--output", str(page)]) == 0
    assert 0 < len(compared) <= of_both

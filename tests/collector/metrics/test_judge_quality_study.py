"""The study of quality: its intervals hold the true rates of a judge, and judges are tested in pairs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from collector.metrics.judge_studies.partings import with_windows
from collector.metrics.judge_studies.quality import StudiedVotes, quality_tables
from collector.metrics.report import ReportTable
from collector.model.verdicts.judgement import MISSED, REACHED, STATE, Judgement, Subject
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject
from collector.store.trajectory.judgements import add_judgements

SENSITIVITY, FALSE_ALARMS, BASE = 0.85, 0.2, 0.5
PRECISION = SENSITIVITY * BASE / (SENSITIVITY * BASE + FALSE_ALARMS * (1 - BASE))
TRUE = {
    "precision": PRECISION,
    "recall": SENSITIVITY,
    "f1": 2 * PRECISION * SENSITIVITY / (PRECISION + SENSITIVITY),
    "accuracy": SENSITIVITY * BASE + (1 - FALSE_ALARMS) * (1 - BASE),
}


def subject(number: int, said: dict[str, bool], steps: dict[str, int] | None = None) -> VotedSubject:
    votes = {who: REACHED if reached else MISSED for who, reached in said.items()}
    folder = Path("p") / f"r{number // 2}"
    return VotedSubject(
        folder.name, f"t{number // 4}", STATE, f"s{number % 2}", votes, steps or {}, ("ann",), folder=folder
    )


def tables_of(subjects: list[VotedSubject], *judges: str) -> tuple[ReportTable, ...]:
    return quality_tables(StudiedVotes(subjects, [*judges, "ann"], PEOPLE, {}))


def test_the_intervals_hold_the_true_rates_of_a_judge_as_often_as_they_should() -> None:
    chance, studies = random.Random(5), 60
    held = dict.fromkeys(TRUE, 0)
    for _study in range(studies):
        subjects = []
        for number in range(160):
            reached = chance.random() < BASE
            says = chance.random() < (SENSITIVITY if reached else FALSE_ALARMS)
            subjects.append(subject(number, {"ann": reached, "model": says}))
        (table,) = tables_of(subjects, "model")
        for column, cell in zip(table.columns, table.rows[0].cells, strict=True):
            assert cell.low is not None
            assert cell.high is not None
            held[column.id] += cell.low <= TRUE[column.id] <= cell.high
    # 57 of 60 are expected; under 51 a 95 % interval has once in some hundreds of such tests.
    assert {name: count for name, count in held.items() if count < 51} == {}


def test_judges_are_tested_on_the_verdicts_that_both_gave() -> None:
    said = [(True, True, True)] * 6 + [(True, True, False)] * 6 + [(False, True, False)] * 2
    subjects = [subject(number, dict(zip(("ann", "good", "bad"), votes, strict=True)))
                for number, votes in enumerate(said)]  # fmt: skip
    subjects.append(subject(14, {"ann": True, "good": False}))
    _quality, tests = tables_of(subjects, "bad", "good")
    (row,) = tests.rows
    assert row.labels == ("bad", "good", "Essential states")
    difference, only_bad, only_good, p = row.cells
    assert difference.value == pytest.approx(4 / 14)
    assert (only_bad.value, only_good.value, difference.count) == (2, 6, 14)
    assert p.value == pytest.approx(2 * (1 + 8 + 28) / 256)
    behind = [list(cell.behind) for cell in (only_bad, only_good) if cell.behind is not None]
    assert behind == [[12, 13], [6, 7, 8, 9, 10, 11]]


def test_precision_and_recall_count_other_verdicts_of_the_same_judge() -> None:
    said = [(True, True), (True, False), (False, True), (False, False)]
    subjects = [subject(number, dict(zip(("ann", "model"), votes, strict=True)))
                for number, votes in enumerate(said)]  # fmt: skip
    (table,) = tables_of(subjects, "model")
    behind = {
        column.id: list(cell.behind)
        for column, cell in zip(table.columns, table.rows[0].cells, strict=True)
        if cell.behind is not None
    }
    assert behind == {"precision": [0, 2], "recall": [0, 1], "f1": [0, 1, 2], "accuracy": [0, 1, 2, 3]}


def test_a_parting_is_at_the_window_in_which_the_state_was_seen(tmp_path: Path) -> None:
    folder = tmp_path / "r0"
    folder.mkdir()
    asked = {(0, 1): MISSED, (1, 2): MISSED, (2, 3): REACHED}
    add_judgements(folder, [
        Judgement("model", "model", "", Subject("window", "s0", *window), verdict)
        for window, verdict in asked.items()
    ])  # fmt: skip

    def window(said: dict[str, bool], steps: dict[str, int]) -> tuple[int, int] | None:
        voted = VotedSubject(
            "r0", "t", STATE, "s0", {who: REACHED if yes else MISSED for who, yes in said.items()}, steps,
            ("ann",), folder=folder,
        )  # fmt: skip
        quality, *_tests = with_windows(tables_of([voted], "model"), [voted])
        return quality.rows[0].subjects[0].window

    assert window({"ann": False, "model": True}, {"model": 3}) == (2, 3)
    assert window({"ann": True, "model": False}, {"ann": 1}) == (0, 1)
    assert window({"ann": True, "model": False}, {"ann": 9}) == (9, 9)  # it was not asked there
    assert window({"ann": True, "model": True}, {"ann": 1, "model": 3}) is None

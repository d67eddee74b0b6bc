"""Votes of people and judges are compared subject by subject; examples worked out by hand, and by NLTK."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.judge.votes.votes import (
    agreement_row,
    agreement_rows,
    disputed,
    groups_of,
    quality_rows,
)
from collector.model.verdicts.judgement import Judgement, Subject
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject, judges_of, voted_subjects
from tests.helpers.late_import import LateImport

nltk_agreement = LateImport("nltk.metrics.agreement", without="scipy.stats")

R, M = "reached", "missed"


def voted(votes: dict[str, str], people: str = "lin sara jo", name: str = "s", **more) -> VotedSubject:
    """A state with votes as ``R3`` (reached at step 3), ``M`` or nothing at all."""
    given = {judge: vote for judge, vote in votes.items() if vote}
    return VotedSubject(
        more.pop("trajectory", "t"), "task", "state", name,
        {judge: R if vote[0] == "R" else M for judge, vote in given.items()},
        {judge: int(vote[1:]) for judge, vote in given.items() if len(vote) > 1},
        tuple(sorted(set(people.split()) & set(given))), **more,
    )  # fmt: skip


def test_two_people_by_hand():
    """Ten states: 5 both reached, 2 both missed, 2 lin alone, 1 sara alone; one that sara left out.

    Observed 7/10. Lin says reached 7 of 10, sara 6 of 10: by chance 0.7 * 0.6 + 0.3 * 0.4 = 0.54.
    Kappa (0.7 - 0.54) / (1 - 0.54) = 0.3478. Of the 5 both reached 3 at the same step, 4 within one.
    """
    steps = [("R1", "R1"), ("R2", "R2"), ("R3", "R3"), ("R4", "R5"), ("R4", "R9")]
    others = [("M", "M")] * 2 + [("R1", "M")] * 2 + [("M", "R1")]
    subjects = [voted({"lin": a, "sara": b}) for a, b in [*steps, *others]]
    subjects.append(voted({"lin": "R1", "sara": ""}))
    row = agreement_row(subjects, ["lin", "sara"], "state")
    assert (row.agreement.subjects, row.judged_by_some) == (10, 11)
    assert row.agreement.percent == pytest.approx(70)
    assert row.agreement.kappa == pytest.approx(0.34783, abs=1e-5)
    assert (row.same_step, row.with_steps) == (60, 5)
    assert agreement_row(subjects, ["lin", "sara"], "state", tolerance=1).same_step == 80
    assert len(disputed(subjects, ["lin", "sara"])) == 5
    assert len(disputed(subjects, ["lin", "sara"], tolerance=1)) == 4


def test_three_people_by_hand_and_what_nobody_can_say():
    """Fleiss: rows RRR, RRM, MMM, RMM; mean of pairs (1 + 1/3 + 1 + 1/3) / 4 = 2/3; chance 1/2: 1/3."""
    rows = ["RRR", "RRM", "MMM", "RMM"]
    subjects = [voted(dict(zip(("lin", "sara", "jo"), row, strict=True))) for row in rows]
    row = agreement_row(subjects, ["lin", "sara", "jo"], "state")
    assert row.agreement.kappa == pytest.approx(1 / 3)
    assert row.agreement.percent == pytest.approx(100 * 2 / 3)
    same = agreement_row([voted({"lin": "R", "sara": "R"})] * 3, ["lin", "sara"], "state")
    assert (same.agreement.percent, same.agreement.kappa, same.same_step) == (100, None, None)
    nobody = agreement_row([voted({"lin": "R"})], ["lin", "sara"], "state")
    assert (nobody.agreement.subjects, nobody.agreement.percent, nobody.judged_by_some) == (0, None, 1)


votes = st.sampled_from(["R", "M", ""])


@settings(max_examples=50)
@given(st.lists(st.tuples(votes, votes, votes), min_size=1, max_size=20))
def test_missing_votes_are_left_out_as_nltk_does_it_over_what_all_judged(rows):
    names = ("lin", "rules", "sara")
    subjects = [voted(dict(zip(names, row, strict=True)), name=f"s{n}") for n, row in enumerate(rows)]
    for group in (names, names[:2]):
        chosen = [
            [(judge, number, vote) for judge, vote in zip(names, row, strict=True) if judge in group]
            for number, row in enumerate(rows)
        ]
        whole = [triple for row in chosen if all(vote for _, _, vote in row) for triple in row]
        row = agreement_row(subjects, group, "state")
        assert row.agreement.subjects == len(whole) / len(group)
        if len({vote for _, _, vote in whole}) > 1:
            task = nltk_agreement.AnnotationTask(whole)
            expected = task.kappa() if len(group) == 2 else task.pi()
            assert row.agreement.kappa == pytest.approx(expected, abs=1e-12)
        else:
            assert row.agreement.kappa is None


def test_groups_are_pairs_all_people_and_all_judges():
    judges = ["jo", "lin", "rules", "sara"]
    groups = groups_of(judges, ["jo", "lin", "sara"])
    assert groups[-2:] == [("jo", "lin", "sara"), tuple(judges)]
    assert len(groups) == 6 + 2
    assert groups_of(["jo", "lin", "sara"], ["jo", "lin", "sara"])[-1] == ("jo", "lin", "sara")
    subjects = [voted({"lin": "R", "rules": "M"}, name="a"), voted({"lin": "R", "rules": "R"}, name="b")]
    assert judges_of(subjects) == (["lin", "rules"], ["lin"])
    rows = agreement_rows(subjects, *judges_of(subjects))
    assert [(row.of, row.agreement.percent) for row in rows] == [("", 50), ("a", 0), ("b", 100)]


def test_people_count_by_majority_unless_somebody_settled_it():
    subjects = [
        voted({"lin": "R", "sara": "R", "jo": "M", "rules": "M"}),  # reached: a miss of the rules
        voted({"lin": "R", "sara": "M", "rules": "R"}),  # split: does not count
        voted({"lin": "R", "sara": "M", "rules": "R"}, settled=M),  # settled: rules are wrong
        voted({"lin": "R", "sara": "M", "rules": "R"}, settled="undecided"),  # nobody can say
        voted({"lin": "M", "rules": "M"}),
        voted({"rules": "R"}),  # no person
    ]
    assert [subject.people_say for subject in subjects] == [R, "", M, "", M, ""]
    (row,) = quality_rows(subjects, ["jo", "lin", "rules", "sara"], PEOPLE)
    quality = row.quality
    assert row.judge == "rules"
    assert (quality.true_positives, quality.false_positives) == (0, 1)
    assert (quality.false_negatives, quality.true_negatives) == (1, 1)
    assert (quality.precision, quality.recall, quality.f1) == (0, 0, 0)
    assert quality.accuracy == pytest.approx(1 / 3)
    by_person = quality_rows(subjects, ["jo", "lin", "rules", "sara"], "lin")
    assert [row.judge for row in by_person] == ["jo", "rules", "sara"]


def test_a_judge_of_windows_saw_what_it_saw_in_any_window():
    def window(state, first, verdict):
        return Judgement("qwen", "model", "", Subject("window", state, first, first + 1), verdict)

    given_judgements = [
        window("a", 0, M), window("a", 3, R), window("a", 1, R), window("a", 4, M),
        window("b", 0, M), window("b", 1, "undecided"),
        window("c", 0, "undecided"),
        window("d", 0, R), Judgement("qwen", "model", "", Subject("state", "d"), M),
        Judgement("lin", "person", "", Subject("state", "a", 2, 2), R),
        Judgement("lin", "person", "", Subject(), "undecided"),
    ]  # fmt: skip
    subjects = {item.state: item for item in voted_subjects("t", "task", given_judgements)}
    assert set(subjects) == {"a", "b", "d"}
    assert subjects["a"].votes == {"qwen": R, "lin": R}
    assert subjects["a"].steps == {"qwen": 2, "lin": 2}
    assert subjects["a"].people == ("lin",)
    assert (subjects["b"].votes, subjects["d"].votes) == ({"qwen": M}, {"qwen": M})

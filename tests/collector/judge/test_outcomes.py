"""Verdicts on tasks as D-GARA (section 3.3) and ProBench (section 3.4, Table 4) define them, by hand."""

from __future__ import annotations

import pytest

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Action, Answer, Complete, Impossible, Invalid, Swipe, Tap, Type, Wait
from collector.model.expected_answer import ExpectedAnswer
from collector.model.task import PLACEHOLDER, Task
from collector.model.trajectory import GOLDEN, RUN
from collector.model.verdicts.judgement import Judgement
from collector.rules.grammar.model import DGARA, SUCCESS, WAYMARK
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

# Listing 2 of D-GARA: the like button's description contains Liked.
LISTING_2 = read_rules(
    """
like_video:
  conditions:
    - type: element_property_contains
      selector: "resource-id='tv.app:id/like_button'"
      attribute: content-desc
      value: Liked
""",
    kind=SUCCESS,
).rules
LIKE = Task("like", "Like the video", rule_key="like_video")
TAP = Tap(9, 9)


def button(words: str) -> bytes:
    return (
        f'<hierarchy><node text="" bounds="[0,0][99,99]"><node text="" resource-id="tv.app:id/like_button"'
        f' content-desc="{words}" bounds="[0,0][9,9]"/></node></hierarchy>'
    ).encode()


def verdict(
    words: list[str], actions: list[Action | None], semantics: str, kind: str = RUN, task: Task = LIKE
) -> Judgement:
    screens = [RecordedScreen(button(text), action) for text, action in zip(words, actions, strict=True)]
    trajectory = JudgedTrajectory.of(MemoryTrajectory(task.id, screens, kind), [task], LISTING_2)
    return list(RuleJudge(semantics).judge(trajectory))[-1]


@pytest.mark.parametrize("semantics", [WAYMARK, DGARA])
@pytest.mark.parametrize(
    ("words", "actions", "expected", "step"),
    [
        # The validator looks after every action, so no signal is needed.
        (["Like", "Liked"], [TAP, None], "success", 1),
        # A detour after it changes nothing: the validator stopped there.
        (["Like", "Liked", "Like"], [TAP, TAP, Complete()], "success", 1),
        # On a signal it verifies at once; when the goal is not there, the task is stopped and a failure.
        (["Like", "Like"], [TAP, Complete()], "failure", 1),
        (["Like", "Like", "Liked"], [TAP, Complete(), None], "failure", 1),
        (["Like", "Like"], [TAP, Impossible()], "failure", 1),
        (["Liked"], [Complete()], "success", 0),
        # The first screen is nobody's work.
        (["Liked"], [None], "uncompleted", None),
        # The budget ends without a signal.
        (["Like", "Like", "Like"], [TAP, Wait(1), None], "uncompleted", 2),
        (["Like", "Like"], [TAP, Invalid("?")], "uncompleted", 1),
    ],
)
def test_success_is_validated_after_every_action_and_at_once_on_a_signal(
    semantics: str, words: list[str], actions: list[Action | None], expected: str, step: int | None
) -> None:
    given = verdict(words, actions, semantics)
    assert (given.verdict, given.proof.get("step")) == (expected, step)


@pytest.mark.parametrize(
    ("actions", "is_early"),
    [
        ([TAP] * 5, True),  # the same operation five times in a row
        ([TAP] * 4, False),
        ([Type("a")] + [TAP] * 5, True),
        ([TAP] * 5 + [Type("a")], False),
        ([TAP, TAP, Tap(9, 40), TAP, TAP], False),
        ([TAP, TAP, Tap(9, 8), TAP, TAP], True),  # on the same spot, as an episode is stopped live
        ([Tap(9, 9, duration_ms=30 + number) for number in range(5)], True),  # however long it took
        ([Swipe(1, 2, 3, 4, path=((0, 1, number),)) for number in range(5)], True),
        ([Invalid("x")] * 5, True),
    ],
)
def test_early_stops_are_uncompleted_and_said(actions: list[Action], is_early: bool) -> None:
    given = verdict(["Like"] * (len(actions) + 1), [*actions, None], WAYMARK)
    assert given.verdict == "uncompleted"
    assert given.proof.get("early_stop", False) is is_early
    claimed = verdict(["Like"] * (len(actions) + 1), [*actions, Complete()], WAYMARK)
    assert (claimed.verdict, "early_stop" in claimed.proof) == ("failure", False)


def test_people_judge_where_the_task_says_so() -> None:
    for task in (
        Task("like", "", rule_key=PLACEHOLDER),
        Task("like", "", rule_key="like_video", human_validation=True),
    ):
        assert verdict(["Like", "Liked"], [TAP, Complete()], DGARA, task=task).verdict == "undecided"


@pytest.mark.parametrize(
    ("expected", "actions", "outcome"),
    [
        (ExpectedAnswer(("7",), "number"), [TAP, Answer("It is 7.")], "success"),
        (ExpectedAnswer(("7",), "number"), [Answer("8"), Answer("7")], "success"),  # the last answer counts
        (ExpectedAnswer(("7",), "number"), [Answer("7"), Complete()], "success"),
        (ExpectedAnswer(("7",), "number"), [TAP, Answer("It is 8.")], "failure"),
        (ExpectedAnswer(("7",), "number"), [TAP, Complete()], "failure"),
        (ExpectedAnswer(("7",), "number"), [TAP, None], "uncompleted"),
        (ExpectedAnswer(("red", "crimson"), "any of"), [TAP, Answer(" Crimson")], "success"),
        (ExpectedAnswer(("like it",), "meaning"), [TAP, Answer("yes")], "undecided"),
    ],
)
def test_an_answer_is_compared_as_declared_else_by_people(
    expected: ExpectedAnswer, actions: list[Action | None], outcome: str
) -> None:
    task = Task("like", "How many?", expected_answer=expected)
    assert verdict(["Like"] * len(actions), actions, WAYMARK, task=task).verdict == outcome


def test_a_person_who_finishes_says_that_it_is_done() -> None:
    assert verdict(["Like", "Like"], [TAP, None], DGARA, GOLDEN).verdict == "failure"
    assert verdict(["Like", "Liked"], [TAP, None], DGARA, GOLDEN).verdict == "success"

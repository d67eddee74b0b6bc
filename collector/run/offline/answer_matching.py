"""Compare what an agent answers to a golden step with every action that is right there."""

from __future__ import annotations

from collector.asking.task_replies import reply_of_task
from collector.judge.evaluation.given_answer import answer_matches, plain_answer
from collector.model.action import (
    HALLUCINATED,
    Action,
    Answer,
    AskUser,
    Drag,
    Invalid,
    Key,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
    action_to_dict,
)
from collector.model.geometry import Point
from collector.model.task import Task
from collector.model.tree import Node
from collector.model.verdicts.answer_match import (
    ALTERNATIVE,
    EQUIVALENT,
    HIDDEN,
    NO_ACTION,
    OTHER_ACTION,
    OTHER_DIRECTION,
    OTHER_ELEMENT,
    OTHER_TEXT,
    OTHER_VALUE,
    SAME,
    TOUCHES,
    AnswerMatch,
)
from collector.model.verdicts.judgement import RIGHT, UNDECIDED
from collector.run.offline.golden_questions import AcceptedAction, GoldenQuestion, GoldenQuestions
from collector.run.offline.same_node import is_equivalent, is_same_node, label_of, touched_by

_MOVES = (Swipe, Scroll)
NEAR = 0.14
"""Without a tree a touch within this share of both sides of the screen is on the same place, as in AITW."""


def match_answer(
    questions: GoldenQuestions, question: GoldenQuestion, answer: Action, focus: Point | None = None
) -> AnswerMatch:
    """Compare an answer with a golden step; ``focus`` is where it taps before it types, in pixels."""
    own = question.own
    verdict, how = _verdict(questions.task, question, answer, focus)
    is_right = verdict == RIGHT
    same_type = is_right or _type_of(answer) == _type_of(own.action)
    touches = isinstance(own.action, TOUCHES) and isinstance(answer, TOUCHES) and same_type
    return AnswerMatch(
        questions.stored.header.id, question.number, len(questions), action_to_dict(own.action),
        verdict, how, same_type, is_right if touches else None,
    )  # fmt: skip


def _verdict(task: Task, question: GoldenQuestion, answer: Action, focus: Point | None) -> tuple[str, str]:
    """The verdict of a step, and why."""
    if isinstance(answer, Invalid):
        return (HALLUCINATED if answer.problem == HALLUCINATED else "wrong_action"), NO_ACTION
    own = question.own.action
    if isinstance(own, Type) and own.redacted and isinstance(answer, Type):
        return UNDECIDED, HIDDEN
    for accepted in question.accepted:
        if how := _agrees(task, question, accepted, answer, focus):
            return RIGHT, how if accepted is question.own else accepted.how
    if (
        isinstance(answer, AskUser)
        and question.may_ask
        and reply_of_task(task.replies, answer.question).needed
    ):
        return RIGHT, ALTERNATIVE
    return _difference(question, answer, focus)


def _difference(question: GoldenQuestion, answer: Action, focus: Point | None) -> tuple[str, str]:
    """What differs first between an answer that is not right and the golden step."""
    own = question.own.action
    if _type_of(answer) != _type_of(own):
        return "wrong_action", OTHER_ACTION
    if isinstance(own, TOUCHES):
        return "wrong_element", OTHER_ELEMENT
    if isinstance(own, Type):
        if focus is not None and not _is_on(question, question.own, focus):
            return "wrong_element", OTHER_ELEMENT
        return "wrong_action", OTHER_TEXT
    if isinstance(own, Answer):
        return "wrong_action", OTHER_TEXT
    if isinstance(own, _MOVES):
        return "wrong_action", OTHER_DIRECTION
    return "wrong_action", OTHER_VALUE


def _agrees(
    task: Task, question: GoldenQuestion, accepted: AcceptedAction, answer: Action, focus: Point | None
) -> str:
    """SAME or EQUIVALENT when an answer does what an accepted action does; else empty."""
    action = accepted.action
    if isinstance(action, TOUCHES) and type(answer) is type(action):
        return _same_touch(question, accepted, answer.point)
    if isinstance(action, Tap) and isinstance(answer, Type):
        # The tap on a field and its text in one answer; the next golden step types it.
        is_whole = question.typed_next is not None and _same_text(answer.text, question.typed_next)
        on_field = focus is not None and bool(_same_touch(question, accepted, focus))
        return EQUIVALENT if is_whole and on_field else ""
    if isinstance(action, Tap) and isinstance(answer, OpenApp):
        is_icon = accepted.node is not None and _same_text(answer.name, label_of(accepted.node))
        return EQUIVALENT if answer.name and is_icon else ""
    if isinstance(action, OpenApp) and isinstance(answer, Tap):
        hit = touched_by(question.tree, answer.point)
        names = [action.name, task.app if action.package == task.package else ""]
        is_icon = hit is not None and any(name and _same_text(name, label_of(hit)) for name in names)
        return EQUIVALENT if is_icon else ""
    if _type_of(answer) != _type_of(action):
        return ""
    return SAME if _same_value(task, question, accepted, answer, focus) else ""


def _same_value(
    task: Task, question: GoldenQuestion, accepted: AcceptedAction, answer: Action, focus: Point | None
) -> bool:
    """Whether two actions of one type have the same text, direction, key or app."""
    action = accepted.action
    match action, answer:
        case Type(), Type():
            is_there = focus is None or accepted.node is None or _is_on(question, accepted, focus)
            return _same_text(answer.text, action.text) and is_there
        case Answer(), Answer():
            expected = task.expected_answer
            said = answer_matches(answer.text, expected) if expected is not None else None
            return _same_text(answer.text, action.text) if said is None else said
        case ((Swipe() | Scroll()), (Swipe() | Scroll())):
            return direction_of(action) == direction_of(answer)
        case Drag(), Drag():
            return all(
                is_same_node(question.tree, touched_by(question.tree, mine), theirs)
                for mine, theirs in ((action.point, answer.point), (action.end, answer.end))
            )
        case Pinch(), Pinch():
            return (action.scale > 1) == (answer.scale > 1)
        case Key(), Key():
            return action.key == answer.key
        case OpenApp(), OpenApp():
            return _same_app(task, action, answer)
    return True  # a wait, a question and a claim are the same whatever they say


def _same_app(task: Task, action: OpenApp, answer: OpenApp) -> bool:
    if action.package and answer.package:
        return action.package == answer.package
    if action.name and answer.name:
        return _same_text(action.name, answer.name)
    packages, names = {action.package, answer.package}, [action.name, answer.name]
    return task.package in packages and bool(task.app) and any(_same_text(name, task.app) for name in names)


def _same_touch(question: GoldenQuestion, accepted: AcceptedAction, point: Point | None) -> str:
    if point is None or accepted.action.point is None:
        return ""
    if question.tree is None or accepted.node is None:
        return SAME if _is_near(question, accepted.action.point, point) else ""
    if is_same_node(question.tree, accepted.node, point):
        return SAME
    other = touched_by(question.tree, point)
    return EQUIVALENT if other is not None and is_equivalent(accepted.node, other) else ""


def _is_on(question: GoldenQuestion, accepted: AcceptedAction, point: Point) -> bool:
    """Whether a place is on the field that takes the text of an accepted action."""
    node = accepted.node or _field_of(question)
    return node is None or question.tree is None or is_same_node(question.tree, node, point)


def _field_of(question: GoldenQuestion) -> Node | None:
    target, tree = question.step.target, question.tree
    return tree.at_path(target.path) if tree is not None and target is not None else None


def _is_near(question: GoldenQuestion, first: Point, second: Point) -> bool:
    size = question.step.state.size
    return (
        abs(first.x - second.x) <= NEAR * max(1, size.width)
        and abs(first.y - second.y) <= NEAR * max(1, size.height)
    )  # fmt: skip


def direction_of(action: Swipe | Scroll) -> str:
    """Where the view of the content moves; a finger that goes up moves it down."""
    if isinstance(action, Scroll):
        return action.direction
    across, down = action.x2 - action.x1, action.y2 - action.y1
    if abs(across) > abs(down):
        return "right" if across < 0 else "left"
    return "down" if down < 0 else "up"


def _same_text(first: str, second: str) -> bool:
    return plain_answer(first) == plain_answer(second)


def _type_of(action: Action) -> str:
    """The type of an action; a swipe scrolls."""
    return Scroll.kind if isinstance(action, _MOVES) else action.kind

"""A stored step that typed a password is known by the field that took the text."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.action import Tap, Type
from collector.model.episode import AgentTurn
from collector.model.trajectory import Target
from collector.store.checks.typed_passwords import typed_password
from tests.helpers.dumps import hierarchy, node
from tests.helpers.steps import step

EDIT = {"class": "android.widget.EditText"}
EMAIL = node(bounds="[0,0][100,20]", focused="true", **EDIT)
PASSWORD = node(bounds="[0,40][100,60]", password="true", **EDIT)
LOGIN = parse_tree(hierarchy(EMAIL, PASSWORD).encode())
NOTE = parse_tree(hierarchy(EMAIL).encode())


def typed(focus: object = None, **values: object):
    turn = AgentTurn(extra={} if focus is None else {"focus": focus})
    return step(1, Type("hunter22", 8), target=None, agent=turn, **values)


@pytest.mark.parametrize(
    ("focus", "tree", "is_password"),
    [
        ([50, 50], LOGIN, True), ([50, 10], LOGIN, False), ([50, 90], LOGIN, True), ([50, 90], NOTE, False),
        (None, LOGIN, False), ("odd", LOGIN, False), ([float("nan"), 1], LOGIN, False),
        ([50, 50], None, False),
    ],
)  # fmt: skip
def test_the_place_decides_where_there_is_one(focus: object, tree: object, is_password: bool) -> None:
    assert typed_password(typed(focus), tree) == ("hunter22" if is_password else "")


def test_the_focus_and_the_target_decide_without_a_place() -> None:
    focused = parse_tree(hierarchy(node(password="true", focused="true", **EDIT)).encode())
    assert typed_password(typed(), focused) == "hunter22"
    assert typed_password(step(1, Type("a"), target=Target((), None, (), {"password": "true"})), None) == "a"


def test_other_steps_typed_none() -> None:
    assert typed_password(step(1, Tap(50, 50)), LOGIN) == ""
    assert typed_password(step(1, Type(redacted=True)), LOGIN) == ""

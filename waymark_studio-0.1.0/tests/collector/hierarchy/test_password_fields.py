"""Which fields ask for a password, by their flag or by their name, and what they show."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.password_fields import (
    asks_for_password,
    field_at,
    has_password_field,
    shown_passwords,
)
from collector.model.geometry import Point
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, node

EDIT = {"class": "android.widget.EditText"}


def tree(*roots: str) -> Tree:
    return parse_tree(hierarchy(*roots).encode())


@pytest.mark.parametrize(
    "attributes",
    [
        {"password": "true"},
        {**EDIT, "resource-id": "a:id/new_password"}, {**EDIT, "hint": "Passcode"},
        {**EDIT, "resource-id": "a:id/user_pwd"}, {**EDIT, "content-desc": "请输入密码"},
        {**EDIT, "text": "Password"},
    ],
)  # fmt: skip
def test_a_field_asks_for_a_password_by_its_flag_or_its_name(attributes: dict[str, str]) -> None:
    screen = tree(node(**attributes))
    assert asks_for_password(screen.nodes[0])
    assert has_password_field(screen)


@pytest.mark.parametrize(
    "attributes",
    [
        {**EDIT, "resource-id": "a:id/email"}, {**EDIT, "text": "my password is secret"},
        {"class": "android.widget.Button", "text": "Forgot password"}, {**EDIT, "hint": "pwdless"},
    ],
)  # fmt: skip
def test_other_fields_and_buttons_do_not(attributes: dict[str, str]) -> None:
    screen = tree(node(**attributes))
    assert not asks_for_password(screen.nodes[0])
    assert not has_password_field(screen)


def test_a_part_of_a_password_field_is_one() -> None:
    screen = tree(node(node(text="inner", **EDIT), password="true"))
    assert asks_for_password(screen.nodes[1])


def test_the_field_at_a_place_is_the_smallest_that_takes_text() -> None:
    screen = tree(
        node(
            node(bounds="[0,0][100,40]", **EDIT), node(text="Label", bounds="[0,0][100,20]"),
            bounds="[0,0][100,100]", **{**EDIT, "class": "android.widget.AutoCompleteTextView"},
        )
    )  # fmt: skip
    assert field_at(screen, Point(10, 10)) is screen.nodes[1]
    assert field_at(screen, Point(10, 60)) is screen.nodes[0]
    assert field_at(screen, Point(10, 160)) is None


def test_labels_hints_and_dots_are_no_passwords() -> None:
    screen = tree(
        node(text="••••", password="true"), node(text="Enter it", hint="Enter it", password="true"),
        node(text="PASSWORD", password="true"),
        node(text="Code", password="true", **{"resource-id": "a:id/code"}),
        node(text="s3cret", password="true"), node(node(text="inner"), password="true"),
    )  # fmt: skip
    assert list(shown_passwords(screen)) == ["s3cret", "inner"]

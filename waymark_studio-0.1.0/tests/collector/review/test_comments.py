"""A comment is pinned to a node that is found again."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.review.comments import find_pinned, new_comment
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import state_of_task
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task
from tests.helpers.xpath_bombs import bomb


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("shop", "Buy", essential_states=("seen", "paid", "sent")))
    with project.new_trajectory(TrajectoryHeader("a", "shop")) as writer:
        for number in range(3):
            writer.append(step(number), png(), xml(f"Screen {number}"))
        writer.finish()
    return project


def test_a_comment_is_pinned_to_a_node_that_is_found_again_elsewhere_in_the_tree(project):
    stored = open_trajectory(project.find("a"))
    comment = new_comment(stored, " The price is wrong ", 1, "text='Screen 1'")
    assert (comment.text, comment.step, comment.screen) == (
        "The price is wrong",
        1,
        stored.steps[1].state.screenshot,
    )
    tree = parse_tree(stored.tree(stored.steps[1]))
    assert find_pinned(tree, comment.node).text == "Screen 1"
    moved = parse_tree(
        b'<hierarchy rotation="0"><node class="a.L" bounds="[0,0][9,9]">'
        b'<node class="a.L" bounds="[0,0][9,9]">'
        + xml("Screen 1").split(b">", 2)[2].rsplit(b"</hierarchy>", 1)[0]
        + b"</node></node></hierarchy>"
    )
    assert find_pinned(moved, comment.node).text == "Screen 1"
    renamed = xml("Elsewhere").replace(b"a:id/ok", b"a:id/other")
    assert find_pinned(parse_tree(renamed), comment.node) is None
    other = dataclasses.replace(comment.node, selectors=("text='", "//*[", bomb(8), *comment.node.selectors))
    assert find_pinned(moved, other).text == "Screen 1"
    for arguments in (("", 1), ("x", 9), ("x", 1, "text='None'"), ("x", None, "text='Screen 1'")):
        with pytest.raises(UserError):
            new_comment(stored, *arguments)


def test_states_are_named_by_id_or_number(project):
    task = project.task("shop")
    assert [state_of_task(task, name) for name in ("paid", "2")] == ["paid", "paid"]
    for unknown in ("4", "0", "bought"):
        with pytest.raises(UserError, match="no essential state"):
            state_of_task(task, unknown)

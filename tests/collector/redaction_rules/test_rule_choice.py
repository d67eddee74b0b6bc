"""A rule that a person chose on a screen: how it is named, counted and written."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.redaction_rules.redaction_rule import BLUR, RedactionRule
from collector.redaction_rules.rule_choice import (
    RuleReach,
    add_rule,
    places_of,
    reach_of,
    rectangle_rule,
    remove_rule,
    rule_values,
    selectors_of,
)
from collector.redaction_rules.rule_file import redaction_of
from collector.store.project.project import Project
from tests.helpers.dumps import hierarchy, node
from tests.helpers.secret_project import add_rules, secret_project


def test_a_selector_never_says_the_text_that_it_hides() -> None:
    row = node(text="Jane Doe", content_desc="of Jane Doe", bounds="[0,0][10,10]")
    tree = parse_tree(hierarchy(node(row, node(text="B"), resource_id="app:id/list")).encode())
    found = selectors_of(tree, tree.nodes[1])
    assert found
    assert not any("Jane" in text for text in found)
    for text in found:
        rule = RedactionRule("r", selector=text)
        assert Rect(0, 0, 10, 10) in places_of(rule, tree, "com.example.shop", Size(100, 100))


def test_rules_are_added_beside_comments_and_read_again(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    first = rectangle_rule("top", Rect(0, 0, 100, 20), Size(100, 200), style=BLUR, apps=("com.a",))
    add_rule(project, first)
    path = project.paths.redaction
    path.write_text("# ours\n" + path.read_text())
    second = RedactionRule("mail", pattern=r"\w+@\w+", tasks=("one",), parts=frozenset({"pixels", "tree"}))
    add_rule(project, second)
    assert path.read_text().startswith("# ours\n")
    assert redaction_of(project.folder) == (first, second)
    with pytest.raises(UserError, match="Two rules are called top"):
        add_rule(project, first)
    remove_rule(project, "top")
    assert redaction_of(project.folder) == (second,)


def test_conditions_of_other_rules_stay_as_they_are_written(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    add_rules(
        project,
        """redact:
- name: a
  where: {pattern: abc}
  when:
  - {type: element_exists, selector: "text='x'"}   # why
""",
    )
    before = redaction_of(project.folder)[0]
    add_rule(project, RedactionRule("b", selector="text='b'"))
    after = redaction_of(project.folder)
    assert after[0] == before
    assert "# why" in project.paths.redaction.read_text()
    assert rule_values(after[0])["when"] == [{"type": "element_exists", "selector": "text='x'"}]


def test_screens_are_counted_in_one_trajectory_and_in_all(tmp_path: Path) -> None:
    project = secret_project(tmp_path / "p")
    rule = RedactionRule("r", selector="resource-id='app:id/owner'")
    assert reach_of(project, rule) == RuleReach(5, 9, 2, 2, "trajectories/one/golden")
    assert reach_of(project, rule, project.folder / "trajectories/one/run").screens == 3

"""A project with several rule files of one kind: all are listed, opened, edited and named by findings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rule_editor.widgets.rule_list import RuleListEntry
from tests.helpers.rule_room import INJECTION_TEXT
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
TRAVEL = INJECTION_TEXT.replace("keywords: [Sort, Filter, Metro]", "keywords: [Shop, Chat, Cart]") + (
    "  - id: fly\n    conditions:\n      all:\n        - {type: min_step, value: 1}\n"
    "    actions:\n      - {type: inject_interference, interference_id: nowhere}\n"
)


def groups(room) -> dict[str, list[str]]:
    """Titles of the list with the ids below them."""
    model = room.workspace.list.view.model()
    heads = [model.item(row) for row in range(model.rowCount())]
    return {
        head.text(): [head.child(below).text() for below in range(head.rowCount())]
        for head in heads
        if head.text().startswith("Injection")
    }


def click(room, title: str, entry_id: str = "") -> None:
    """Click an entry below a title, or the title."""
    view, model = room.workspace.list.view, room.workspace.list.view.model()
    head = next(model.item(row) for row in range(model.rowCount()) if model.item(row).text() == title)
    rows = {head.child(below).text(): head.child(below) for below in range(head.rowCount())}
    index = (rows[entry_id] if entry_id else head).index()
    view.scrollTo(index)
    room.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())


def figures(room) -> dict[tuple[str, str], str]:
    """What the list says of each rule, by the name of its file and its id."""
    entries: list[RuleListEntry] = room.workspace.list.entries
    return {(entry.group.rpartition("/")[2], entry.id): entry.detail for entry in entries}


def test_a_second_file_is_listed_opened_edited_and_named(room, qtbot) -> None:
    path, usual = room.folder / "rules/travel.yaml", room.folder / "rules/injection.yaml"
    assert list(groups(room)) == ["Injection rules"]
    path.write_text(TRAVEL, encoding="utf-8")  # as an import or git writes it
    mine, theirs = "Injection rules · injection.yaml", "Injection rules · travel.yaml"
    room.until(lambda: groups(room) == {mine: ["on_results"], theirs: ["on_results", "fly"]})
    assert room.session.file == str(usual)

    # Two rules with one id are two: each has its own text and its own figure.
    click(room, theirs, "on_results")
    assert (room.session.file, room.session.rule_id) == (str(path), "on_results")
    assert room.workspace.rule_pane.yaml.toPlainText() == TRAVEL
    room.until(
        lambda: (
            figures(room)["injection.yaml", "on_results"] == "0"
            and figures(room)["travel.yaml", "on_results"] == "2"
        )
    )
    room.session.edit(lambda document, rule_id: document.set_field(rule_id, "priority", 3))
    room.until(lambda: "priority: 3" in path.read_text(encoding="utf-8"))
    assert usual.read_text(encoding="utf-8") == INJECTION_TEXT
    room.run("edit.undo")
    room.until(lambda: path.read_text(encoding="utf-8") == TRAVEL)

    # A new rule goes to the file of the selected rule, a copy and a deletion as well.
    click(room, theirs, "fly")
    room.run("rules.duplicate")
    assert (room.session.file, room.session.rule_id) == (str(path), "fly_2")
    room.run("rules.delete")
    room.until(lambda: groups(room)[theirs] == ["on_results", "fly"])

    # Findings name the file, and lead there.
    findings = room.studio.findings
    room.until(lambda: any(finding.where.startswith("rules/travel.yaml") for finding in findings.every))
    finding = next(finding for finding in findings.every if finding.where.startswith("rules/travel.yaml"))
    click(room, mine, "on_results")
    assert room.session.file == str(usual)
    room.session.show_line(finding.where)
    assert room.session.file == str(path)
    assert says(room.workspace.rule_pane, "travel.yaml")

    # A file without rules is opened by its title; one that goes takes its group with it.
    empty = room.folder / "rules/winter_injection.yaml"
    empty.write_text("# later\n", encoding="utf-8")
    room.until(lambda: "Injection rules · winter_injection.yaml" in groups(room))
    click(room, "Injection rules · winter_injection.yaml")
    assert room.workspace.rule_pane.yaml.toPlainText() == "# later\n"
    empty.unlink()
    path.unlink()
    room.until(lambda: groups(room) == {"Injection rules": ["on_results"]})
    assert room.session.file == str(usual)

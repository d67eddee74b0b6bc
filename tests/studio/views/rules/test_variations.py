"""Somebody combines variations, looks at them before and after, and writes one with form and YAML."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from rule_editor.document.variations.variation_document import VariationDocument
from studio.commands.tables.rules import RULES_COMMANDS


@pytest.fixture
def part(room):
    """The tab, opened by its command, after its first pictures."""
    shown = []
    room.workspace.variations.preview.show_screens(("todo",))
    room.workspace.variations.pictures.drawn.connect(shown.append)
    room.run("rules.variations")
    found = room.workspace.variations
    room.until(lambda: found.session.entries and shown)
    found.shown = shown
    return found


def names(part):
    return [entry if isinstance(entry, str) else entry.name for entry in part.list.rows.entries]


def newest(room, part, combination):
    """The pictures of a combination, once they are drawn."""
    room.until(lambda: part.shown and part.shown[-1].request.combination == combination)
    return part.shown[-1]


def click_box(part, name):
    rows = part.list.rows
    box = rows.visualRect(rows.model().index(names(part).index(name), 0))
    QTest.mouseClick(
        rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() + 18, box.center().y())
    )


def file_of(room, name):
    return room.folder / "variations" / f"{name}.yaml"


def test_ticks_make_a_combination_that_is_drawn_before_and_after(room, part):
    assert names(part)[0] == "Built in"
    part.list.filter.setText("dark letters")
    assert names(part) == ["Built in", "dark_theme"]
    part.list.filter.clear()
    click_box(part, "german")
    click_box(part, "dark_theme")
    drawn = newest(room, part, "dark_theme+german")
    (pair,) = drawn.pairs
    assert (drawn.name, pair.screen, pair.same) == ("dark_theme+german", "todo", False)
    assert {pair.before.width(), pair.after.width()} == {part.preview.widest} == {250}, "not 480, as drawn"
    assert pair.before.pixelColor(5, 500).lightness() > 200 > 60 > pair.after.pixelColor(5, 500).lightness()
    part.list.copy_name.click()
    assert QGuiApplication.clipboard().text() == "dark_theme+german"
    click_box(part, "mandarin")
    refused = newest(room, part, "dark_theme+german+mandarin")
    assert "german and mandarin both set all.language" in refused.problem
    room.until(lambda: "both set" in part.list.problem.text())
    part.list.untick.click()
    assert part.session.ticked == ()


def test_a_new_variation_is_written_by_its_form_and_every_edit_is_undone(room, part):
    part.session.select("dark_theme")
    part.list.add.click()
    room.until(lambda: part.session.name == "my_dark_theme")
    assert file_of(room, "my_dark_theme").read_text("utf-8") == "version: 1\nextends: dark_theme\n"
    assert part.pane.form.extends.choice == "dark_theme"
    form = part.pane.form
    field = form.inputs["appearance", "text_scale"]
    field.setFocus()
    QTest.keyClicks(field, "1.4")
    QTest.keyClick(field, Qt.Key.Key_Return)
    language = form.inputs["content", "language"]
    language.setFocus()
    QTest.keyClicks(language, "de")
    QTest.keyClick(language, Qt.Key.Key_Return)
    assert part.session.document.values("content", "all") == {"language": "de"}
    choice = form.inputs["noise", "order"]
    choice.setCurrentIndex(choice.findData("shuffled"))
    choice.activated.emit(choice.currentIndex())
    assert part.session.document.values("noise", "all") == {"order": "shuffled"}
    room.until(lambda: "text_scale: 1.4" in file_of(room, "my_dark_theme").read_text("utf-8"))
    room.until(lambda: "order: shuffled" in file_of(room, "my_dark_theme").read_text("utf-8"))
    pairs = newest(room, part, "my_dark_theme").pairs
    assert not pairs[0].same
    form.setFocus()
    room.run("edit.undo")
    room.run("edit.undo")
    room.run("edit.undo")
    assert part.session.document.text == "version: 1\nextends: dark_theme\n"
    room.run("edit.undo")
    room.until(lambda: not file_of(room, "my_dark_theme").exists())
    room.run("edit.redo")
    room.until(lambda: "my_dark_theme" in names(part) and file_of(room, "my_dark_theme").exists())
    room.until(lambda: part.session.name == "my_dark_theme" and part.session.can_edit)
    room.run("variation.delete")
    assert "my_dark_theme" not in names(part)
    room.until(lambda: not file_of(room, "my_dark_theme").exists())
    room.run("edit.undo")
    room.until(lambda: file_of(room, "my_dark_theme").exists() and part.session.can_edit)
    assert part.session.document.text == "version: 1\nextends: dark_theme\n"


def typed(field, text):
    field.setFocus()
    field.selectAll()
    field.insert(text)  # QTest types Latin letters alone
    QTest.keyClick(field, Qt.Key.Key_Return)


def pick(choice, value):
    choice.setCurrentIndex(choice.findData(value))
    choice.activated.emit(choice.currentIndex())


def test_pop_ups_orders_and_lists_are_written_by_the_form(room, part):
    part.list.add.click()
    room.until(lambda: part.session.can_edit)
    form, lists = part.pane.form, part.pane.form.lists
    assert lists.lists.isHidden()  # all apps together have none
    pick(form.app, "todo")
    lists.pop_ups.add.click()
    typed(lists.pop_ups.fields["title zh"], "新闻")
    pick(lists.pop_ups.fields["position"], "top")
    pick(lists.pop_ups.fields["cancelable"], "false")
    buttons = lists.pop_ups.fields["buttons"]
    buttons.add.click()
    typed(buttons.fields["text en"], "Later")
    typed(buttons.fields["does"], "stay")
    lists.orders.add.click()
    typed(lists.orders.fields["mark"], "OTTER-1")
    pick(lists.lists, "tasks")
    for _number in range(2):
        lists.content.add.click()
    typed(lists.content.fields["title en"], "OTTER-1: add milk")
    typed(lists.content.fields["due"], "3")
    document = part.session.document
    assert document.entries(("pop_ups", "todo")) == [{
        "id": "pop_up_1", "title": {"en": "News", "zh": "新闻"}, "position": "top", "cancelable": False,
        "buttons": [{"text": {"en": "OK"}}, {"text": {"en": "Later"}, "does": "stay"}],
    }]  # fmt: skip
    (order,) = document.entries(("orders",))
    assert (order["app"], order["mark"]) == ("todo", "OTTER-1")
    tasks = document.entries(("content", "todo", "+tasks"))
    assert [(task["id"], task["due"]) for task in tasks][1] == ("new_2", 3)
    assert tasks[1]["title"]["en"] == "OTTER-1: add milk"
    assert document.read.diagnostics == ()
    assert "+tasks" in document.text
    lists.content.choice.show_choice("0")
    lists.content.remove.click()
    assert [task["id"] for task in document.entries(("content", "todo", "+tasks"))] == ["new_2"]
    buttons.remove.click()
    assert len(document.entries(("pop_ups", "todo"))[0]["buttons"]) == 1
    typed(lists.pop_ups.fields["title zh"], " ")
    assert document.entries(("pop_ups", "todo"))[0]["title"] == {"en": "News"}
    room.until(lambda: "OTTER-1" in file_of(room, part.session.name).read_text("utf-8"))


def test_what_is_wrong_in_the_yaml_is_marked_at_its_line_and_a_built_in_one_cannot_be_typed_in(room, part):
    assert part.pane.yaml.isReadOnly()
    part.list.add.click()
    room.until(lambda: part.session.can_edit)
    name = part.session.name
    part.pane.yaml.setFocus()
    part.pane.yaml.typed.emit(len(part.session.document.text), len(part.session.document.text),
                              "noise: {all: {lat: 0.2}}\n")  # fmt: skip
    room.until(lambda: part.session.entry is not None and part.session.entry.problem)
    (found,) = part.session.document.read.diagnostics
    assert (found.place.line, "Did you mean late?" in found.sentence) == (3, True)
    part.pane.yaml.fix_chosen.emit(found.fixes[0])
    room.until(lambda: not part.session.entry.problem)
    room.until(lambda: "{late: 0.2}" in file_of(room, name).read_text("utf-8"))


def test_what_another_program_writes_is_taken_in(room, part):
    part.list.add.click()
    room.until(lambda: part.session.can_edit)
    file = file_of(room, part.session.name)
    file.write_text(VariationDocument(file.read_text("utf-8")).text + "description: By hand\n", "utf-8")
    room.until(lambda: part.session.document.read.description == "By hand")
    assert part.pane.form.description.text() == "By hand"


def test_the_toolbar_has_the_commands_of_the_open_tab(room, part):
    toolbar = room.workspace.toolbar

    def shown():
        return [name for name, button in toolbar.buttons.items() if button.isVisible()]

    assert shown() == ["variation.new", "variation.delete"]
    room.run("rules.variations")
    room.until(lambda: "rules.new" in shown())
    assert not [name for name in shown() if name.startswith("variation.")]


def test_keys_of_rules_do_nothing_while_variations_are_shown(room, part):
    enabled = {command.id for command in RULES_COMMANDS if room.studio.commander.enabled(command.id)}
    assert enabled == {"rules.open-file", "rules.variations", "rules.switch-editor", "rules.show-line",
                       "rules.find", "variation.new"}  # fmt: skip
    room.run("rules.find")
    assert room.studio.window.focusWidget() is part.list.filter


def test_the_phone_of_the_preview_speaks_the_language_of_the_project_and_has_a_chosen_seed(room, part):
    preview = part.preview
    assert (preview.phone_locale, preview.seed) == ("en-US", 1)
    first = part.shown[-1].pairs[0].before
    preview.suggest_phone("zh-CN", 1)
    room.until(lambda: part.shown[-1].request.locale == "zh-CN")
    chinese = part.shown[-1].pairs[0].before
    assert chinese != first
    preview.choose_seed(7)
    room.until(lambda: part.shown[-1].request.seed == 7)
    assert preview.phone.accessibleName() == "Phone: 简体中文, seed 7"
    preview.suggest_phone("en-US", 1)  # what a person chose stays
    assert (preview.phone_locale, preview.seed) == ("zh-CN", 7)
    preview.choose_locale("en-US")
    preview.choose_seed(1)
    room.until(lambda: (part.shown[-1].request.locale, part.shown[-1].request.seed) == ("en-US", 1))
    assert part.shown[-1].pairs[0].before == first

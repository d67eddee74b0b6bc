"""A variation being edited: single keys change, all other characters stay, and each edit is one undo."""

from __future__ import annotations

import pytest

from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.variations import keys as k
from rule_editor.document.variations.variation_document import VariationDocument

TEXT = """# kept
version: 1
description: Mine   # too
appearance:
  all: {theme: dark}
  shop:
    spacing: 0.8
content:
  todo:
    +tasks: []
"""
VALUES = {
    k.WORD: lambda spec: spec.choices[-1], k.NUMBER: lambda spec: spec.highest, k.FLAG: lambda _spec: True,
    k.COLOURS: lambda _spec: {"primary": "#112233"}, k.LIST: lambda _spec: ["add", "save"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (("appearance", "all", "theme", "light"), "{theme: dark}", "{theme: light}"),
        (
            ("appearance", "shop", "font", "serif"),
            "    spacing: 0.8\n",
            "    spacing: 0.8\n    font: serif\n",
        ),
        (("appearance", "shop", "spacing", None), "  shop:\n    spacing: 0.8\n", ""),
        (("noise", "todo", "late", 0.2), "    +tasks: []\n", "    +tasks: []\nnoise: {todo: {late: 0.2}}\n"),
    ],
)
def test_an_edit_changes_its_key_alone(change, old, new):
    document = VariationDocument(TEXT, "mine.yaml")
    document.set_value(*change)
    written = document.text.replace("noise:\n  todo:\n    late: 0.2", "noise: {todo: {late: 0.2}}")
    assert written == TEXT.replace(old, new)
    assert document.undo()
    assert document.text == TEXT


@pytest.mark.parametrize("text", ["", "version: 1\n", TEXT, "appearance: {}\nnoise:\n"])
@pytest.mark.parametrize("factor", [k.APPEARANCE, k.NOISE])
def test_every_key_of_the_form_can_be_set_and_removed_in_any_text(factor, text):
    document = VariationDocument(text, "mine.yaml")
    for app in ("all", "calendar"):
        for spec in k.KEYS[factor]:
            if app != "all" and spec.name == "orientation":
                continue
            value = VALUES[spec.kind](spec)
            document.set_value(factor, app, spec.name, value)
            assert document.values(factor, app)[spec.name] == value, document.text
            assert document.read.errors == (), document.text
    for app in ("all", "calendar"):
        for name in list(document.values(factor, app)):
            document.set_value(factor, app, name, None)
        assert document.values(factor, app) == {}
    assert document.read.errors == ()


def test_description_and_base_are_set_and_removed():
    document = VariationDocument("version: 1\n", "mine.yaml")
    document.set_field("extends", "dark_theme")
    document.set_field("description", "Dark: and more")
    assert (document.read.extends, document.read.description) == ("dark_theme", "Dark: and more")
    document.set_field("extends", "")
    assert document.text.splitlines() == ["version: 1", 'description: "Dark: and more"']


def test_a_text_that_is_no_yaml_is_left_to_the_person():
    document = VariationDocument("appearance: {all: [\n", "mine.yaml")
    with pytest.raises(DocumentError, match="The form cannot change this text"):
        document.set_value("appearance", "all", "theme", "dark")
    assert document.text == "appearance: {all: [\n"


LISTS = """version: 1
content:
  todo:
    +tasks:
      - {id: oats, title: {en: Oats}}  # kept
      - {id: milk, title: {en: Milk}}
pop_ups:
  +shop: [{id: hello}]
"""


def test_a_list_keeps_the_text_of_the_entries_that_stay():
    document = VariationDocument(LISTS, "mine.yaml")
    tasks = document.entries(("content", "todo", "+tasks"))
    assert tasks == document.entries(("content", "todo", "tasks"))
    assert [task["id"] for task in tasks] == ["oats", "milk"]
    document.set_entries(("content", "todo", "+tasks"), [tasks[0], {**tasks[1], "due": 2}])
    assert document.text == LISTS.replace("{en: Milk}}", "{en: Milk}, due: 2}")
    document.set_entries(("content", "todo", "+tasks"), tasks[:1])
    assert "      - {id: oats, title: {en: Oats}}  # kept\n" in document.text
    assert document.entries(("pop_ups", "shop")) == [{"id": "hello"}]
    document.set_entries(("pop_ups", "shop"), [])
    assert "pop_ups" not in document.text
    document.set_entries(("content", "todo", "+tasks"), [])
    assert document.text == "version: 1\n"


@pytest.mark.parametrize(
    "text", ["", "version: 1\n", LISTS, "orders:\n", "pop_ups: {}\ncontent: {all: {}}\n"]
)
@pytest.mark.parametrize("path", [("orders",), ("pop_ups", "all"), ("content", "todo", "+lists")])
def test_a_list_can_begin_in_any_text_and_end_again(text, path):
    document = VariationDocument(text, "mine.yaml")
    before = document.text
    document.set_entries(path, [{"id": "a", "text": {"en": "Yes: it is"}}])
    assert document.entries(path) == [{"id": "a", "text": {"en": "Yes: it is"}}]
    document.set_entries(path, [])
    assert document.entries(path) == []
    document.undo()
    document.undo()
    assert document.text == before


def test_what_is_no_list_of_entries_shows_none():
    document = VariationDocument("orders: [1, {id: a}]\npop_ups: 7\n", "mine.yaml")
    assert document.entries(("orders",)) == document.entries(("pop_ups", "all")) == []

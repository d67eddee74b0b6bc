"""Prompts: the built-in ones are sound, a project's own are read, and what is wrong is said."""

from __future__ import annotations

import pytest

from collector.agents.openai.prompt_file import NAMES, PROMPTS
from collector.agents.translators.registry import DIALECTS
from collector.model.errors import UserError
from collector.store.project.project import Project
from tests.helpers.scripts import ROOT

VALUES = {name: f"<{name}>" for name in NAMES}


@pytest.mark.parametrize("name", PROMPTS.built_in())
def test_a_built_in_prompt_names_task_and_picture_and_its_dialect(name):
    prompt = PROMPTS.read(name, None)
    before, after = prompt.fill_user(VALUES)
    text = "\n".join((prompt.fill_system(VALUES), before, after))
    assert "<task>" in text
    assert prompt.head["dialect"] in DIALECTS
    assert prompt.head["description"]
    assert "{{" not in text
    assert "<tree>" in text
    assert "\x00" not in text
    empty = prompt.fill_user(dict.fromkeys(NAMES, ""))
    assert "{{" not in "".join(empty)


def test_values_sections_and_the_picture_are_put_in_place():
    text = "---\nhistory: 3\n---\n=== system ===\nBe {{app}}.\n=== user ===\n"
    text += "Do {{task}}.\n{{#tree}}\nTree: {{tree}}\n{{/tree}}\n{{^tree}}\nNone.\n{{/tree}}\n"
    text += "See {{image}} now"
    prompt = PROMPTS.parse(text, "mine")
    assert prompt.head == {"history": 3}
    assert prompt.fill_system({"app": "{{task}}"}) == "Be {{task}}."
    assert prompt.fill_user({"task": "it", "tree": "x"}) == ("Do it.\nTree: x\nSee", "now")
    assert prompt.fill_user({"task": "it", "tree": ""}) == ("Do it.\nNone.\nSee", "now")
    assert PROMPTS.parse("Only {{task}}\r\n", "mine").fill_user({"task": "it"}) == ("Only it", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no section"),
        ("=== system ===\nx", "no section `=== user ===`"),
        ("---\nhistory: 3\n", "head has no end"),
        ("---\nhistroy: 3\n---\nx", "unknown key 'histroy'"),
        ("---\nhistory: many\n---\nx", "history of its head has a wrong value"),
        ("---\ngrid: 1\n---\nx", "grid of its head has a wrong value"),
        ("---\n- a\n---\nx", "no mapping"),
        ("---\ndialect: qwen\n---\nx", "no choice of dialect"),
        ("{{tsk}}", r"names {{tsk}}.*Write {{task}}"),
        ("{{#tree}}x", r"{{#tree}} is not closed"),
        ("x{{/tree}}", r"{{/tree}} closes what is not open"),
        ("{{#tree}}{{#app}}{{/tree}}{{/app}}", "closes what is not open"),
    ],
)
def test_what_is_wrong_with_a_prompt_is_said(text, reason):
    with pytest.raises(UserError, match=reason):
        PROMPTS.parse(text, "mine")


def test_a_prompt_of_the_project_is_read_and_none_from_outside(tmp_path):
    project = Project.create(tmp_path / "project")
    folder = project.folder / "prompts"
    folder.mkdir()
    (folder / "mine.prompt").write_text("Do {{task}}", "utf-8")
    assert PROMPTS.read("prompts/mine.prompt", project).user == "Do {{task}}"
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.prompt").symlink_to(tmp_path / "secret.txt")
    for name in ("../secret.txt", "prompts/link.prompt", str(tmp_path / "secret.txt")):
        with pytest.raises(UserError, match="lies outside of the project"):
            PROMPTS.read(name, project)
    (folder / "latin.prompt").write_bytes(b"\xfc {{task}}")
    with pytest.raises(UserError, match="no UTF-8"):
        PROMPTS.read("prompts/latin.prompt", project)
    (folder / "long.prompt").write_text("x" * 300_000)
    with pytest.raises(UserError, match="longer than"):
        PROMPTS.read("prompts/long.prompt", project)
    with pytest.raises(UserError, match="neither the studio nor the project"):
        PROMPTS.read("prompts/none.prompt", project)


def test_the_guide_lists_every_name_and_every_built_in_prompt():
    guide = (ROOT / "docs" / "guide" / "model-agents.md").read_text("utf-8")
    for word in (*NAMES, *PROMPTS.built_in()):
        assert f"`{word}`" in guide, word

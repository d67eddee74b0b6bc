"""Prompts as files: those of the studio in ``assets/prompts``, and a project's own.

A prompt has a head in YAML between two lines ``---``, and sections ``=== system ===`` and ``=== user ===``.
``{{name}}`` stands for a value, ``{{#name}}...{{/name}}`` for text that is there only with a value, and
``{{^name}}...{{/name}}`` for text that is there only without it. The names are in NAMES.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.agents.screen_elements import LIST_STYLES
from collector.agents.translators.registry import DIALECTS
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files import yaml_files
from collector.store.project.project import Project

SUFFIX = ".prompt"
IMAGE = "image"
NAMES = (
    "task", "app", "package", "language", "step", "budget", "width", "height", "tree", "marks", "omitted",
    "history", "apps", IMAGE,
)  # fmt: skip
"""What a prompt can name."""
HEAD_KEYS: Mapping[str, type] = {
    "description": str, "dialect": str, "grid": bool, "set_of_marks": bool, "tree": str, "history": int,
    "history_of": list, "history_images": int,
}  # fmt: skip
"""What the head of a prompt can say; all but the description are options of the agent, which go first."""
_TAG = re.compile(r"\{\{([#^/]?)([a-z_]+)\}\}")
_SECTION = re.compile(r"^=== (system|user) ===[ \t]*\n", re.MULTILINE)
_MAX_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A prompt that was read and checked."""

    name: str
    head: Mapping[str, Any]
    system: str
    user: str

    def fill_system(self, values: Mapping[str, object]) -> str:
        """The message of the system; empty when the prompt has none."""
        return _fill(self.system, values).strip()

    def fill_user(self, values: Mapping[str, object]) -> tuple[str, str]:
        """What the user says before the picture and after it."""
        mark = "\x00"
        before, _mark, after = _fill(self.user, {**values, IMAGE: mark}).partition(mark)
        return before.strip(), after.replace(mark, "").strip()


def built_in_prompts() -> list[str]:
    """The names of the studio's own prompts, in order."""
    return sorted(path.stem for path in asset("prompts").glob(f"*{SUFFIX}"))


def prompt_path(name: str, project: Project | None) -> Path:
    """Where the studio's prompt of that name lies, or the project's. Raises UserError when there is none."""
    if name in built_in_prompts():
        return asset("prompts", f"{name}{SUFFIX}")
    return _in_project(name, project, _("The prompt {name} cannot be used", name=name))


def read_prompt(name: str, project: Project | None) -> PromptFile:
    """Read the studio's prompt of that name, or a file of the project. Raises UserError."""
    what = _("The prompt {name} cannot be used", name=name)
    path = prompt_path(name, project)
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise UserError(what, _("it is longer than {limit} characters", limit=_MAX_BYTES))
        return parse_prompt(path.read_text("utf-8-sig"), name)
    except UnicodeDecodeError:
        raise UserError(what, _("it is no UTF-8 text"), _("Save it as UTF-8")) from None
    except OSError as error:
        raise UserError(what, error.strerror or str(error)) from None


def _in_project(name: str, project: Project | None, what: str) -> Path:
    known = built_in_prompts()
    near = nearest(name, known)
    to_do = _("Write {word}", word=near) if near else _("Use one of: {known}", known=", ".join(known))
    if project is None:
        raise UserError(what, _("the studio has no prompt of that name"), to_do)
    folder = project.folder.resolve()
    try:
        path = (folder / name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError, RuntimeError):
        is_file = False
    if not is_file:
        raise UserError(what, _("neither the studio nor the project has it"), to_do)
    if not path.is_relative_to(folder):
        raise UserError(what, _("it lies outside of the project"), _("Copy it into the project"))
    return path


def parse_prompt(text: str, name: str) -> PromptFile:
    """Parse a prompt. Raises UserError with what is wrong."""
    what = _("The prompt {name} cannot be used", name=name)
    text = text.replace("\r\n", "\n")
    head: dict[str, Any] = {}
    if text.startswith("---\n"):
        written, end, text = text[4:].partition("\n---\n")
        if not end:
            raise UserError(what, _("its head has no end"), _("End the head with a line ---"))
        head = _read_head(written, name, what)
    parts = _SECTION.split(text)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True)) if len(parts) > 1 else {"user": text}
    if not sections.get("user", "").strip():
        raise UserError(what, _("it has no section `=== user ===`"))
    for section in sections.values():
        _check_tags(section, what)
    return PromptFile(name, head, sections.get("system", ""), sections["user"])


def _read_head(text: str, name: str, what: str) -> dict[str, Any]:
    head = yaml_files.parse(text.encode(), name)
    if head is None:
        return {}
    if not isinstance(head, dict):
        raise UserError(what, _("its head is no mapping"))
    for key, value in head.items():
        kind = HEAD_KEYS.get(key)
        if kind is None:
            raise UserError(
                what, _("its head has the unknown key {key}", key=repr(key)),
                _("Keys: {known}", known=", ".join(HEAD_KEYS)),
            )  # fmt: skip
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise UserError(what, _("{key} of its head has a wrong value", key=key))
    _check_choice(head, "dialect", tuple(DIALECTS), what)
    _check_choice(head, "tree", LIST_STYLES, what)
    return head


def _check_choice(head: Mapping[str, Any], key: str, known: tuple[str, ...], what: str) -> None:
    if key in head and head[key] not in known:
        near = nearest(head[key], known)
        raise UserError(
            what, _("{value} is no choice of {name}", value=repr(head[key]), name=key),
            _("Write {word}", word=near) if near else _("Use one of: {known}", known=", ".join(known)),
        )  # fmt: skip


# -- tags --------------------------------------------------------------------
def _check_tags(text: str, what: str) -> None:
    opened: list[str] = []
    for sign, name in _TAG.findall(text):
        if name not in NAMES:
            near = nearest(name, NAMES)
            raise UserError(
                what, _("it names {name}, which has no value", name="{{" + name + "}}"),
                _("Write {word}", word="{{" + near + "}}") if near
                else _("Use one of: {known}", known=", ".join(NAMES)),
            )  # fmt: skip
        if sign == "/" and (not opened or opened.pop() != name):
            raise UserError(what, _("{tag} closes what is not open", tag="{{/" + name + "}}"))
        if sign in ("#", "^"):
            opened.append(name)
    if opened:
        raise UserError(what, _("{tag} is not closed", tag="{{#" + opened[-1] + "}}"))


def _fill(text: str, values: Mapping[str, object]) -> str:
    """``text`` with values in place. What a value holds is never read as a tag."""
    out: list[str] = []
    shown = [True]
    end = 0
    for match in _TAG.finditer(text):
        if shown[-1]:
            out.append(text[end : match.start()])
        end, sign, value = match.end(), match[1], values.get(match[2])
        if sign in ("#", "^"):
            shown.append(shown[-1] and bool(value) == (sign == "#"))
            end = _after_line(text, match)
        elif sign == "/":
            shown.pop()
            end = _after_line(text, match)
        elif shown[-1]:
            out.append("" if value is None else str(value))
    return "".join([*out, text[end:]])


def _after_line(text: str, match: re.Match[str]) -> int:
    """Where text goes on after a tag; one alone on its line takes its line break along."""
    alone = text[: match.start()].endswith("\n") or match.start() == 0
    return match.end() + 1 if alone and text[match.end() : match.end() + 1] == "\n" else match.end()

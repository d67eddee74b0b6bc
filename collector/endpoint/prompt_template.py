"""Prompts as text files with places for values, for whatever asks a model.

A prompt has a head in YAML between two lines ``---``, and sections ``=== system ===`` and ``=== user ===``.
``{{name}}`` stands for a value, ``{{#name}}...{{/name}}`` for text that is there only with a value, and
``{{^name}}...{{/name}}`` for text that is there only without it. Whoever asks says which names there are, and
which of them is where the pictures go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files import yaml_files
from collector.store.project.project import Project

SUFFIX = ".prompt"
_TAG = re.compile(r"\{\{([#^/]?)([a-z_]+)\}\}")
_SECTION = re.compile(r"^=== (system|user) ===[ \t]*\n", re.MULTILINE)
_MAX_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class PromptFormat:
    """What prompts of one kind may hold, and where the built-in ones are."""

    folder: str
    """Of ``assets``."""
    names: Collection[str]
    """What a prompt can name."""
    pictures: str
    """The name that stands for the pictures; one of ``names``."""
    head_keys: Mapping[str, type]
    check_head: Callable[[Mapping[str, Any], str], None] = lambda _head, _what: None
    """Raises UserError, which says the second argument, for a head with a wrong value."""

    def built_in(self) -> list[str]:
        """The names of the studio's own prompts, in order."""
        return sorted(path.stem for path in asset(self.folder).glob(f"*{SUFFIX}"))

    def path(self, name: str, project: Project | None) -> Path:
        """Where the studio's prompt of that name lies, or the project's. Raises UserError without one."""
        if name in self.built_in():
            return asset(self.folder, f"{name}{SUFFIX}")
        return _in_project(name, project, self.built_in())

    def read(self, name: str, project: Project | None) -> Prompt:
        """Read the studio's prompt of that name, or a file of the project. Raises UserError."""
        what = _("The prompt {name} cannot be used", name=name)
        path = self.path(name, project)
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise UserError(what, _("it is longer than {limit} characters", limit=_MAX_BYTES))
            return self.parse(path.read_text("utf-8-sig"), name)
        except UnicodeDecodeError:
            raise UserError(what, _("it is no UTF-8 text"), _("Save it as UTF-8")) from None
        except OSError as error:
            raise UserError(what, error.strerror or str(error)) from None

    def parse(self, text: str, name: str) -> Prompt:
        """Parse a prompt. Raises UserError with what is wrong."""
        what = _("The prompt {name} cannot be used", name=name)
        text = text.replace("\r\n", "\n")
        head: dict[str, Any] = {}
        if text.startswith("---\n"):
            written, end, text = text[4:].partition("\n---\n")
            if not end:
                raise UserError(what, _("its head has no end"), _("End the head with a line ---"))
            head = self._read_head(written, name, what)
        parts = _SECTION.split(text)
        sections = dict(zip(parts[1::2], parts[2::2], strict=True)) if len(parts) > 1 else {"user": text}
        if not sections.get("user", "").strip():
            raise UserError(what, _("it has no section `=== user ===`"))
        for section in sections.values():
            _check_tags(section, self.names, what)
        return Prompt(name, head, sections.get("system", ""), sections["user"], self.pictures)

    def _read_head(self, text: str, name: str, what: str) -> dict[str, Any]:
        head = yaml_files.parse(text.encode(), name)
        if head is None:
            return {}
        if not isinstance(head, dict):
            raise UserError(what, _("its head is no mapping"))
        for key, value in head.items():
            kind = self.head_keys.get(key)
            if kind is None:
                raise UserError(
                    what, _("its head has the unknown key {key}", key=repr(key)),
                    _("Keys: {known}", known=", ".join(self.head_keys)),
                )  # fmt: skip
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise UserError(what, _("{key} of its head has a wrong value", key=key))
        self.check_head(head, what)
        return head


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt that was read and checked."""

    name: str
    head: Mapping[str, Any]
    system: str
    user: str
    pictures: str
    """The name that stands for the pictures."""

    def has_place_for(self, name: str) -> bool:
        """Whether it names a value."""
        return any(found == name for _sign, found in _TAG.findall(self.system + self.user))

    def needs(self, name: str) -> bool:
        """Whether it names a value where it does not ask whether there is one."""
        asked = rf"\{{\{{#{name}\}}\}}.*?\{{\{{/{name}\}}\}}"
        rest = re.sub(asked, "", self.system + self.user, flags=re.DOTALL)
        return f"{{{{{name}}}}}" in rest

    def fill_system(self, values: Mapping[str, object]) -> str:
        """The message of the system; empty when the prompt has none."""
        return _fill(self.system, values).strip()

    def fill_user(self, values: Mapping[str, object]) -> tuple[str, str]:
        """What the user says before the pictures and after them."""
        mark = "\x00"
        before, _mark, after = _fill(self.user, {**values, self.pictures: mark}).partition(mark)
        return before.strip(), after.replace(mark, "").strip()


def _in_project(name: str, project: Project | None, known: list[str]) -> Path:
    what = _("The prompt {name} cannot be used", name=name)
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


# -- tags --------------------------------------------------------------------
def _check_tags(text: str, names: Collection[str], what: str) -> None:
    opened: list[str] = []
    for sign, name in _TAG.findall(text):
        if name not in names:
            near = nearest(name, names)
            raise UserError(
                what, _("it names {name}, which has no value", name="{{" + name + "}}"),
                _("Write {word}", word="{{" + near + "}}") if near
                else _("Use one of: {known}", known=", ".join(names)),
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

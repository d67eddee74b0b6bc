"""The options of the agent ``process``, checked, and what of them a person has to trust."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.agents.process.option_table import BASE64, OPTIONS, XML
from collector.host.own_program import python_command
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.project import Project

PYTHON = "{python}"
"""As the first word of a command: the Python that the studio runs in."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_INHERITED = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP",
    "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES",
    "SYSTEMROOT", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES",
    "PROGRAMDATA", "WINDIR",
)  # fmt: skip
"""Variables that every program gets; no other, so that keys of the person do not reach it unasked."""


@dataclass(frozen=True, slots=True)
class ProgramOptions:
    """How a program is run and spoken with."""

    command: tuple[str, ...]
    cwd: str = ""
    """Relative to the project's folder."""
    env: tuple[str, ...] = ()
    """Names of further variables of the environment."""
    dialect: str = ""
    screenshot: str = BASE64
    tree: str = XML
    timeout_s: float = 120.0
    start_timeout_s: float = 60.0
    config: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What is run, as a person reads and trusts it."""
        values = " ".join(f'{name}="${name}"' for name in self.env)
        where = f"cd {shlex.quote(self.cwd)} && " if self.cwd else ""
        return f"{where}{values + ' ' if values else ''}{shlex.join(self.command)}"

    def folder(self, project: Project | None) -> Path:
        """Where it runs. Raises UserError for a folder outside of the project."""
        base = (project.folder if project is not None else Path.cwd()).resolve()
        folder = (base / self.cwd).resolve()
        what = _("The agent's folder {folder} cannot be used", folder=self.cwd)
        if not folder.is_relative_to(base):
            raise UserError(what, _("it lies outside of the project"), _("Name a folder of the project"))
        if not folder.is_dir():
            raise UserError(what, _("there is no such folder"), _("Correct the option `cwd`"))
        return folder

    def arguments(self) -> list[str]:
        """The command, with the interpreter of the studio for ``{python}``."""
        first, *others = self.command
        return [*(python_command() if first == PYTHON else [first]), *others]

    def environment(self) -> dict[str, str]:
        """The variables the program gets."""
        names = (*_INHERITED, *self.env)
        given = {name: value for name in names if (value := os.environ.get(name)) is not None}
        return {**given, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}

    def secrets(self) -> list[str]:
        """Values that must not get into a log or a trajectory."""
        return [os.environ[name] for name in self.env if _SECRET.search(name) and os.environ.get(name)]


def read_options(options: Mapping[str, Any]) -> ProgramOptions:
    """Check the options of an experiment. Raises UserError."""
    values = {option.name: option.default for option in OPTIONS}
    values |= {name: value for name, value in options.items() if value is not None}
    what = _("The options of the agent are wrong")
    command = values["command"]
    if not isinstance(command, (list, tuple)) or not command or not all(_is_word(word) for word in command):
        to_do = _("Write it as in {example}", example='["python3", "agent.py"]')
        raise UserError(what, _("`command` is a list of words"), to_do)
    env = values["env"] or ()
    wrong = next((name for name in env if not isinstance(name, str) or not _NAME.fullmatch(name)), None)
    if wrong is not None:
        # Not shown: it may be NAME=value with a key.
        raise UserError(
            what, _("`env` has an entry that is no name of a variable"),
            _("Write names alone; their values come from your environment"),
        )  # fmt: skip
    cwd = str(values["cwd"])
    if Path(cwd).is_absolute() or "\x00" in cwd:
        raise UserError(what, _("`cwd` is no folder of the project"), _("Write it relative to the project"))
    for name in ("timeout_s", "start_timeout_s"):
        if not 0.1 <= values[name] <= 3600:
            raise UserError(
                what, _("{name} is {value}", name=name, value=values[name]),
                _("Use a number from {least} to {most}", least="0.1", most="3600"),
            )  # fmt: skip
    return ProgramOptions(
        tuple(str(word) for word in command), cwd, tuple(env), values["dialect"] or "", values["screenshot"],
        values["tree"], float(values["timeout_s"]), float(values["start_timeout_s"]), values["config"] or {},
    )  # fmt: skip


def _is_word(word: object) -> bool:
    """Whether a word of a command can be passed on; YAML reads some as numbers."""
    is_text = isinstance(word, str) and "\x00" not in word
    return is_text or (isinstance(word, (int, float)) and not isinstance(word, bool))

"""The current settings: read once from a YAML file, written whole and atomically."""

from __future__ import annotations

import copy
import logging
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import yaml

from collector.host import file_moves
from collector.host.private_files import make_private_folder
from collector.host.user_folders import config_folder
from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from studio.settings.migrations import VERSION, upgrade
from studio.settings.table import SETTINGS, Setting

_log = logging.getLogger(__name__)
_TABLE = {setting.key: setting for setting in SETTINGS}


class SettingError(UserError):
    """A value that a setting does not allow."""


class Settings:
    """Values by key; ``changed`` emits the key. The file holds only values that differ from the default.

    An unreadable or newer file is renamed to ``settings.yaml.kept``, and ``problem`` explains it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_folder() / "settings.yaml"
        self.changed: EventEmitter[str] = EventEmitter()
        self.problem = ""
        self._lock = threading.Lock()
        self._values: dict[str, Any] = {}
        self._unknown: dict[str, Any] = {}
        self._of_this_run: dict[str, Any] = {}
        """Values of the command line; never written."""
        self._read()

    def __getitem__(self, key: str) -> Any:
        default = _TABLE[key].default
        return copy.deepcopy(self._of_this_run.get(key, self._values.get(key, default)))

    def setting(self, key: str) -> Setting:
        """The table row of a key. Raises KeyError."""
        return _TABLE[key]

    def is_default(self, key: str) -> bool:
        return key not in self._values and not self.is_of_this_run(key)

    def is_of_this_run(self, key: str) -> bool:
        """Whether the value is that of the command line, in place of the stored one."""
        return key in self._of_this_run

    def use_for_this_run(self, key: str, value: object) -> None:
        """Use a value of the command line until the setting is changed; the file keeps its own.

        Raises SettingError when it is not allowed.
        """
        problem = _TABLE[key].problem(value)
        if problem:
            raise SettingError(problem)
        self._of_this_run[key] = copy.deepcopy(value)

    def set(self, key: str, value: object) -> None:
        """Change a value. Raises SettingError when it is not allowed."""
        setting = _TABLE[key]
        problem = setting.problem(value)
        if problem:
            raise SettingError(problem)
        if self[key] == value and not self.is_of_this_run(key):
            return
        self._of_this_run.pop(key, None)
        with self._lock:
            if value == setting.default:
                self._values.pop(key, None)
            else:
                self._values[key] = copy.deepcopy(value)
        self.changed.emit(key)

    def reset(self, key: str) -> None:
        """Restore the default."""
        self.set(key, _TABLE[key].default)

    def save(self) -> None:
        """Write the file. Blocks on the disk, so the window calls it through its task runner."""
        with self._lock:
            content = {"version": VERSION, **self._unknown, **self._values}
            text = yaml.safe_dump(content, allow_unicode=True, sort_keys=True)
            make_private_folder(self.path.parent)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".settings-")
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            file_moves.replace(Path(name), self.path)

    def _read(self) -> None:
        try:
            content = safe_load(self.path.read_bytes(), self.path.name) or {}
            version = content.pop("version", 1)
            if not isinstance(version, int) or not 1 <= version <= VERSION:
                raise ValueError(_("it is from a newer version of the studio"))
            values = upgrade(content, version)
        except FileNotFoundError:
            return
        except (OSError, ValueError, AttributeError, TypeError, YamlError) as error:
            self._keep_aside(error)
            return
        for key, value in values.items():
            if key not in _TABLE:
                self._unknown[key] = value
            elif problem := _TABLE[key].problem(value):
                _log.warning("setting left at its default: %s", problem)
            else:
                self._values[key] = value

    def _keep_aside(self, error: Exception) -> None:
        backup = self.path.with_suffix(".yaml.kept")
        try:
            self.path.replace(backup)
        except OSError:
            _log.warning("could not keep %s aside", self.path)
        self.problem = _(
            "The settings could not be read ({error}); the file is kept as {kept}", error=error, kept=backup
        )
        _log.warning("%s", self.problem)

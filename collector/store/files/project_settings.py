"""Read the settings of a project, ``project.yaml``."""

from __future__ import annotations

import re
from pathlib import Path

from collector.model.i18n import _
from collector.store.files import format_versions as versions
from collector.store.files import yaml_files
from collector.store.files.errors import Damaged
from collector.store.files.layout import PROJECT_FILE

SEMANTICS = ("waymark", "dgara")
RESET, REASONS, HEALTH = "reset", "reasons", "health"
KEYS = ("format", "version", "name", "semantics", "trusted", RESET, REASONS, HEALTH)
"""The keys of the file."""
_SEMANTICS_LINE = re.compile(rf"^semantics:\s*[\"']?({'|'.join(SEMANTICS)})[\"']?\s*(?:#.*)?$", re.MULTILINE)


def read_settings(path: Path) -> versions.Document:
    """The settings in a file, with its own ``version``. Raises NotFound, Damaged or FromTheFuture."""
    stored = yaml_files.load(path)
    settings = versions.PROJECT.upgrade(stored, PROJECT_FILE)
    settings["version"] = stored.get("version", 1)
    if settings.get("semantics", SEMANTICS[0]) not in SEMANTICS:
        raise Damaged(
            _("{name} cannot be read", name=PROJECT_FILE),
            _("{semantics} is no rule semantics", semantics=settings["semantics"]),
            _("Use one of: {known}", known=", ".join(SEMANTICS)),
        )
    return settings


def read_settings_in_spite_of_damage(path: Path) -> versions.Document:
    """The settings in a file; of a damaged one only how rules are read, if a line still says it.

    Nothing else is guessed: a damaged file allows no shell command. Raises NotFound or FromTheFuture.
    """
    try:
        return read_settings(path)
    except Damaged:
        try:
            line = _SEMANTICS_LINE.search(path.read_bytes().decode(errors="replace"))
        except OSError:
            line = None
        return {"semantics": line[1]} if line else {}

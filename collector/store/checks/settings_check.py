"""Check ``project.yaml``: that it can be read, and that each of its keys means something."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.checks.unknown_keys import unknown_key
from collector.store.files.errors import StoreError
from collector.store.files.findings import damaged_file
from collector.store.files.layout import PROJECT_FILE
from collector.store.files.project_settings import HEALTH, KEYS, RESET, read_settings
from collector.store.project.health_settings import HEALTH_KEYS, read_health_settings
from collector.store.project.project import Project
from collector.store.project.project_reset import RESET_KEYS, read_project_reset


def check_settings(project: Project) -> Iterator[Finding]:
    """Check the project file as it is on the disk now."""
    path = project.paths.settings
    try:
        settings = read_settings(path)
        read_project_reset(settings.get(RESET))
        read_health_settings(settings.get(HEALTH))
    except StoreError as error:
        yield damaged_file(PROJECT_FILE, error)
        return
    root = read_source(path.read_text(encoding="utf-8")).root
    yield from _unknown_keys(root, _("The file"), KEYS)
    for name, known in ((RESET, RESET_KEYS), (HEALTH, HEALTH_KEYS)):
        yield from _unknown_keys(root.get(name) if root is not None else None, name, known)


def _unknown_keys(mapping: YamlNode | None, subject: str, known: Collection[str]) -> Iterator[Finding]:
    for key, _value in mapping.pairs if mapping is not None else ():
        if key.text not in known:
            where = f"{PROJECT_FILE}:{key.place.line}"
            yield unknown_key("settings-key", subject, key.text, known, where, of_others=False)

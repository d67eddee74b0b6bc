"""The lines of one task in ``tasks.yaml``: write them, and change single values while the rest stays."""

from __future__ import annotations

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.model.task import Task
from collector.store.tasks.task_file import is_same, not_readable, task_from_mapping, task_values


def read_entry(text: str) -> Task | None:
    """The task of the lines of an entry; None when they cannot be read by themselves."""
    try:
        document = safe_load(text, "")
        return task_from_mapping(document[0]) if isinstance(document, list) and len(document) == 1 else None
    except (YamlError, ValueError):
        return None


def written_entry(task: Task, indent: int, newline: str) -> str:
    """The lines of a new entry whose dash is in column ``indent``.

    Raises StoreError for what YAML cannot hold.
    """
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    try:
        return _checked(documents.new_entry(task_values(task), indent, newline), task)
    except DocumentError:
        raise not_readable(task.id) from None


def patched_entry(text: str, task: Task) -> str | None:
    """The lines of an entry with the values of ``task``; comments and other values stay as written.

    None when the entry cannot be read or changed without the rest of its file. Raises StoreError for what
    YAML cannot hold.
    """
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    before = read_entry(text)
    if before is None:
        return None
    try:
        return _checked(documents.changed_entry(text, task_values(before), task_values(task)), task)
    except UnsafeEditError:
        return None
    except DocumentError:
        raise not_readable(task.id) from None


def _checked(text: str, task: Task) -> str:
    """The text, read back. Raises StoreError when it does not hold the task."""
    if not is_same(read_entry(text), task):
        raise not_readable(task.id)
    return text

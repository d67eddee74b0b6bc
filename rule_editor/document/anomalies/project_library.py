"""Add anomalies to the library of a project, without a window."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from collector.anomalies.builtin_library import builtin_library_text
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.message import _
from collector.project_rules.project_rules import ProjectRules
from collector.store.files.disk import Disk
from collector.store.project.project import Project
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.anomalies.anomaly_templates import free, template


def builtin_entries(ids: Collection[str]) -> list[dict[str, Any]]:
    """The entries of the built-in library with these ids, in its order."""
    builtin = AnomalyDocument(builtin_library_text())
    return [builtin.plain(anomaly.id) for anomaly in builtin.library.anomalies if anomaly.id in ids]


def new_anomaly(project: Project, kind: str, language: str, values: Mapping[str, Any]) -> str:
    """Add an anomaly from a template to the library of a project; returns its id.

    ``kind`` is one of ``anomaly_templates.TEMPLATES``; ``values`` replace values of the template, those under
    ``params`` one by one. Raises DocumentError for an id that is in use, and StoreError.
    """
    plain = template(kind, language)
    params = {**plain.get("params", {}), **values.get("params", {})}
    return _add(project, {**plain, **values, "params": params}, is_new="id" in values)


def copy_anomaly(project: Project, anomaly_id: str, new_id: str = "") -> str:
    """Copy an anomaly of the project, or a built-in one, within the project's library; returns the new id.

    A built-in one keeps its id unless another is given. Raises DocumentError when there is none.
    """
    project.require_writable()
    document = _opened(project)
    if anomaly_id in document.parsed.by_key:
        copied = document.duplicate(anomaly_id, new_id)
        document.save()
        return copied
    entries = builtin_entries((anomaly_id,))
    if not entries:
        what = _("There is no anomaly {id} in the library or among the built-in ones", id=anomaly_id)
        raise DocumentError(what, "", _("See `waymark anomaly list`"))
    return _add(project, {**entries[0], "id": new_id or anomaly_id}, is_new=True)


def _add(project: Project, entry: Mapping[str, Any], *, is_new: bool) -> str:
    """Add an entry; a new library gets the built-in ones that rules name, too.

    Unless ``is_new``, an id that is in use gets a number.
    """
    project.require_writable()
    document = _opened(project)
    if not document.text.strip():
        rules = ProjectRules(project).rules()
        used = {action.interference_id for rule in rules for action in rule.actions} - {entry["id"]}
        for other in builtin_entries(used):
            document.add(other)
    added = dict(entry)
    if not is_new:
        added["id"] = free(str(entry["id"]), document.parsed.by_key)
    document.add(added)
    Disk().make_folder(project.paths.library.parent)
    document.save()
    return str(added["id"])


def _opened(project: Project) -> AnomalyDocument:
    path = project.paths.library
    return AnomalyDocument.load(path) if path.exists() else AnomalyDocument("", str(path))

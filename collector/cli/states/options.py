"""What the verbs of proposals, definitions and audits share: task, person, and how a change is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import as_person, in_project
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.states.documents.audit import Audit
from collector.states.documents.definition import Definition
from collector.states.documents.proposal import Proposal
from collector.states.work_change import StateWorkChange
from collector.states.work_files.state_work import StateWork, document_of
from collector.states.work_undo import remember_change
from collector.store.files import yaml_files
from collector.store.project.project import Project

_KINDS = {Proposal: "proposal", Definition: "definition", Audit: "audit"}


def task_verb(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add TASK, ``--as``, ``--project`` and ``--json`` to a verb."""
    for decorate in (
        json_option,
        in_project,
        as_person,
        click.argument("task_id", metavar="TASK"),
    ):
        command = decorate(command)
    return command


def state_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what a state is."""
    for decorate in (
        click.option("--alternative", "alternatives", multiple=True, metavar="STATE",
                     help="A state that counts as this one; repeatable, an empty one for none."),
        click.option("--optional/--required", "optional", default=None, help="Whether it may be missing."),
        click.option("--after", multiple=True, metavar="STATE",
                     help="A state that has to be reached before; repeatable, an empty one for none."),
        click.option("--conditions", metavar="YAML", default=None,
                     help="Its conditions as in rules/states.yaml, or @FILE; empty for none."),
        click.option("--sentence", default=None, help="What is to be seen when it is reached."),
    ):  # fmt: skip
        command = decorate(command)
    return command


def state_values(
    sentence: str | None, conditions: str | None, after: tuple[str, ...], optional: bool | None,
    alternatives: tuple[str, ...],
) -> dict[str, Any]:  # fmt: skip
    """The values that the options of a state give; what was not given is left out. Raises UserError."""
    given: dict[str, Any] = {"sentence": sentence, "optional": optional}
    values = {key: value for key, value in given.items() if value is not None}
    if conditions is not None:
        values["conditions"] = _conditions(conditions)
    if after:
        values["after"] = tuple(filter(None, after))
    if alternatives:
        values["alternatives"] = tuple(filter(None, alternatives))
    return values


def open_work(folder: Path) -> StateWork:
    """The workflow's files of a project."""
    return StateWork(Project.open(folder))


def print_change(change: StateWorkChange, who: str, folder: Path, *, as_json: bool) -> None:
    """Print what was done, or the file as it is now, and keep it for ``states undo``."""
    remember_change(Project.open(folder), who, change)
    if not as_json:
        say(_("{who}: {title}", who=who, title=change.title))
        return
    document = change.after or change.before
    assert document is not None
    print_json(
        {
            "did": change.title,
            "who": who,
            _KINDS[type(document)]: document_of(change.after) if change.after is not None else None,
            "states": [item.id for item in change.states],
        }
    )


def _conditions(text: str) -> Any:
    name = "--conditions"
    data = text.encode()
    if text.startswith("@"):
        path = Path(text[1:])
        try:
            data, name = path.read_bytes(), path.name
        except OSError as error:
            raise UserError(
                _("{name} cannot be read", name=path.name), error.strerror or str(error)
            ) from None
    return yaml_files.parse(data, name) or None

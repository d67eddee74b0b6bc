"""Hide what a person chose on a screen: in its trajectory, or by a rule of the project from now on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.hierarchy.selector_ranking import rank_selectors
from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.model.tree import Node, Tree
from collector.redaction_rules.hidden_screen import hidden_on
from collector.redaction_rules.picture_detectors import detected
from collector.redaction_rules.project_redaction import (
    ProjectRedaction,
    RedactedTrajectory,
    hide_in_trajectory,
)
from collector.redaction_rules.redaction_rule import FILL, PARTS, RedactionRule, ScreenShare
from collector.redaction_rules.rule_file import ROOT, redaction_of
from collector.redaction_rules.stored_redaction import stored_views
from collector.rules.evaluation.state_view import StateView
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.project.project import Project

_DECIMALS = 4
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class RuleReach:
    """Where a rule hides something in what was recorded."""

    screens: int
    of_screens: int
    trajectories: int
    of_trajectories: int
    first: str = ""
    """The trajectory with the first of them, as its folder in the project."""


def rectangle_rule(name: str, box: Rect, screen: Size, **more: Any) -> RedactionRule:
    """A rule for a rectangle in pixels of ``screen``."""
    shares = (
        box.left / screen.width, box.top / screen.height,
        box.right / screen.width, box.bottom / screen.height,
    )  # fmt: skip
    return RedactionRule(name, rectangle=ScreenShare(*(round(share, _DECIMALS) for share in shares)), **more)


def selectors_of(tree: Tree, node: Node) -> list[str]:
    """Selectors that name a node without saying its text, which is to be hidden; the best first."""
    ranked = [selector.text for selector in rank_selectors(tree, node)]
    said = [text for text in (node.text, node.content_desc, node.get("hint")) if text]
    silent = [text for text in ranked if not any(word in text for word in said)]
    by_id = [f"resource-id='{node.resource_id}'"] if node.resource_id else []
    return list(dict.fromkeys([*by_id, *silent]))


def places_of(rule: RedactionRule, tree: Tree | None, package: str, screen: Size) -> list[Rect]:
    """What a rule covers on one screen, in pixels of ``screen``."""
    hidden = hidden_on([rule], StateView(tree, b"", package), screen)
    return [region.bounds for region in hidden.pixels]


def reach_of(
    project: Project, rule: RedactionRule, folder: Path | None = None, progress: Progress | None = None
) -> RuleReach:
    """Count the screens of a trajectory, or of all, on which a rule hides something.

    Raises Cancelled and UserError.
    """
    screens = of_screens = trajectories = 0
    first = ""
    folders = ProjectRedaction(project).folders() if folder is None else [folder]
    for number, folder in enumerate(folders, start=1):
        check_cancelled()
        hit = False
        for task_id, view, size in stored_views(folder):
            of_screens += 1
            if rule.is_of(task_id) and hidden_on([rule], view, size, detect=detected):
                screens += 1
                hit = True
        trajectories += hit
        first = first or (project.paths.relative(folder) if hit else "")
        if progress is not None:
            progress(number, len(folders))
    return RuleReach(screens, of_screens, trajectories, len(folders), first)


def hide_by(project: Project, folder: Path, rule: RedactionRule) -> RedactedTrajectory:
    """Hide by a rule in one trajectory, for good. Raises UserError."""
    return hide_in_trajectory(project, folder, (rule,))


def add_rule(project: Project, rule: RedactionRule) -> None:
    """Add a rule to those of the project; comments in the file stay. Raises UserError and StoreError."""
    project.require_writable()
    if any(known.name == rule.name for known in redaction_of(project.folder)):
        raise UserError(_("Two rules are called {name}", name=rule.name), "", _("Give it another name"))
    path = project.paths.redaction
    document = (yaml_files.load(path) or {}) if path.is_file() else {}
    document = {**document, ROOT: [*(document.get(ROOT) or []), rule_values(rule)]}
    yaml_files.write(path, document, Disk(), ("name",))


def remove_rule(project: Project, name: str) -> None:
    """Take a rule out of those of the project; what it hid stays hidden. Raises UserError and StoreError."""
    project.require_writable()
    path = project.paths.redaction
    document = yaml_files.load(path)
    kept = [entry for entry in document.get(ROOT) or [] if entry.get("name") != name]
    yaml_files.write(path, {**document, ROOT: kept}, Disk(), ("name",))


def rule_values(rule: RedactionRule) -> dict[str, Any]:
    """A rule as its file has it; keys with their defaults are left out. Conditions are kept as written."""
    box = rule.rectangle
    where = {
        "rectangle": [box.left, box.top, box.right, box.bottom] if box is not None else None,
        "selector": rule.selector,
        "pattern": rule.pattern,
        "detect": rule.detector,
    }
    values: dict[str, Any] = {
        "name": rule.name,
        "where": {key: value for key, value in where.items() if value},
        "apps": list(rule.apps),
        "tasks": list(rule.tasks),
        "what": [part for part in PARTS if part in rule.parts] if rule.parts != frozenset(PARTS) else [],
        "style": rule.style if rule.style != FILL else "",
    }
    if rule.when.conditions:
        values["when"] = rule.when.raw
    return {key: value for key, value in values.items() if value}

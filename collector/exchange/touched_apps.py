"""Apps that are opened by their names, as touches of what the screen shows, for data sets of touches."""

from __future__ import annotations

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_trajectories import ExportedTrajectory
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, OpenApp, Tap
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step


def touched_where_shown(
    exported: ExportedTrajectory, step: Step, action: Action, log: ExchangeLog, number: int
) -> Action:
    """A touch of the app that ``action`` opens, where the screen shows its name; else ``action``."""
    if not isinstance(action, OpenApp):
        return action
    task = exported.task
    name = action.name or (task.app if task is not None and task.package == action.package else "")
    try:
        data = exported.stored.tree(step)
        tree = parse_tree(data) if data is not None else ()
    except (HierarchyError, UserError):
        return action
    for node in tree:
        if name and node.label == name and node.bounds is not None and not node.bounds.is_empty:
            text = _("An app that is opened by its name is touched where the screen shows it")
            log.add("app-touched", text, step=number)
            return Tap(node.bounds.center.x, node.bounds.center.y)
    return action

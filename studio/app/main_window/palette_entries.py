"""What the palette finds: commands, settings, tasks, rules, anomalies and trajectories, as entries."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from collector.model.i18n import _
from collector.model.task import Task
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.catalogue_text import is_run, outcome_text
from studio.bridge.rules.rule_names import RuleName
from studio.commands.command import GLOBAL
from studio.commands.commander import Commander
from studio.commands.keys import printed
from studio.commands.search import PaletteEntry
from studio.settings.table import GROUPS, SETTINGS
from studio.views.project.trajectory_text import maker_text


def command_entries(commander: Commander, unbuilt: Collection[str]) -> list[PaletteEntry]:
    """All commands with the reason why one cannot run. Those of another workspace run there."""
    entries = []
    for command in commander.palette(unbuilt):
        elsewhere = command.scope not in (GLOBAL, commander.scope)
        problem = commander.unmet(command.id) if command.scope not in unbuilt else ""
        entries.append(
            PaletteEntry(
                "command",
                command.id,
                commander.title(command.id),
                command.scope_label if elsewhere or not problem else "",
                f"{command.title} {command.id} {command.scope_label} {command.help}",
                command.icon,
                printed(commander.registry.shown_keys(command.id)),
                problem,
                command.help,
                elsewhere,
            )
        )
    return entries


def setting_entries() -> list[PaletteEntry]:
    """Every setting of the settings page."""
    return [
        PaletteEntry(
            "setting",
            setting.key,
            setting.label,
            " · ".join((_("Setting"), _(GROUPS[setting.group]))),
            f"{setting.title} {setting.key} {setting.help}",
            "gear",
            help=setting.help,
        )
        for setting in SETTINGS
        if not setting.hidden
    ]


def task_entries(tasks: Iterable[Task]) -> list[PaletteEntry]:
    """The tasks of the project, found by id, instruction and app."""
    about = _("Task")
    return [
        PaletteEntry(
            "task", task.id, f"{task.id}  {task.instruction}", f"{about} · {task.app}" if task.app else about,
            task.package, "list",
        )
        for task in tasks
    ]  # fmt: skip


def rule_entries(names: Iterable[RuleName]) -> list[PaletteEntry]:
    """The rules and the anomalies of the project."""
    titles = {
        "injection": _("Injection rule"), "success": _("Success rule"), "state": _("Essential state"),
        "anomaly": _("Anomaly"),
    }  # fmt: skip
    return [
        PaletteEntry(
            "rule", name.id, name.id, titles.get(name.kind, name.kind), name.description,
            "zap" if name.kind == "anomaly" else "rules", help=name.description, target=(name.group,),
        )
        for name in names
    ]  # fmt: skip


def trajectory_entries(rows: Iterable[CatalogueRow]) -> list[PaletteEntry]:
    """Trajectories that the catalogue found for a query."""
    return [
        PaletteEntry(
            "trajectory", row.folder, f"{row.task} / {row.id}", _about_trajectory(row),
            f"{row.kind} {row.agent} {row.status}", "review", target=(row.folder,),
        )
        for row in rows
    ]  # fmt: skip


def _about_trajectory(row: CatalogueRow) -> str:
    """Who recorded a trajectory; of a run the agent and the outcome."""
    if is_run(row):
        return " · ".join((_("Run"), maker_text(row), outcome_text(row)))
    return f"{_('Trajectory')} · {maker_text(row)}"

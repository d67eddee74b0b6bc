"""The text of a new experiment, with comments that say what else can be written."""

from __future__ import annotations

from collections.abc import Sequence

from collector.located_yaml.yaml_patch import yaml_writer
from collector.located_yaml.yaml_patch.style import Layout, YamlStyle
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.run.experiment import edits
from collector.run.experiment.keys import ALL
from collector.store.files.format_versions import EXPERIMENT


def new_text(
    tasks: str | Sequence[str], where: str, agents: Sequence[str], conditions: Sequence[str],
    seeds: Sequence[int], description: str = "", *, offline: bool = False,
) -> str:  # fmt: skip
    """An experiment over tasks, or over those that fit the query ``where``.

    With ``offline`` their golden steps are asked, so that nothing is said of conditions.
    """
    chosen = {"where": where} if where else tasks if isinstance(tasks, str) else list(tasks)
    values = (
        ("format", EXPERIMENT.name, ""),
        ("version", EXPERIMENT.version, ""),
        ("description", description, ""),
        ("tasks", chosen, _("ids, all, or a query as {example}", example='{where: "app:Shop level:easy"}')),
        ("agents", list(agents), _("`waymark agent list` shows kinds and options")),
        ("offline", ALL if offline else "", _("ids of golden trajectories, or all of the tasks")),
        (
            "conditions",
            [] if offline else list(conditions),
            _("baseline, rules, anomalies, or {example}", example=_CONDITION),
        ),
        ("seeds", list(seeds), ""),
        ("repeats", 1, ""),
    )
    lines, style = [], YamlStyle(layout=Layout.ONE_LINE)
    for key, value, comment in values:
        if value not in ("", []):
            lines += [f"# {comment}"] if comment else []
            lines += yaml_writer.pair(key, value, 0, style)
    return "\n".join(lines) + "\n"


def text_from_step(start: str, task: str) -> str:
    """An experiment whose agents begin at one step, ``TRAJECTORY@STEP``, of a trajectory of the task."""
    text = new_text([task], "", ["golden"], ["baseline"], [DEFAULT_SEED])
    return edits.add_start(text, start)


_CONDITION = "{id: low, anomaly: battery_low_double_en, at: 3, buttons: 1}"

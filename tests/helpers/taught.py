"""Projects of made-up trajectories to export as training data, and what was written of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from collector.exchange.exports.exporting import ExportChoice, ExportResult, export_project
from collector.model.action import Action
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.geometry import Rect, Size
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, State, Step, Target, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png

SCREEN = Size(120, 260)
_NODE = (
    '<node index="0" text="{text}" resource-id="{id}" class="{kind}" package="a" content-desc="" '
    'clickable="{clickable}" enabled="true" password="{password}" bounds="{bounds}">{inner}</node>'
)


def node(text: str, bounds: str, kind: str = "android.widget.Button", inner: str = "", **flags: str) -> str:
    """A node of a dump; a button unless said otherwise."""
    values = {"id": f"a:id/{text}", "clickable": "true", "password": "false", **flags}
    return _NODE.format(text=text, bounds=bounds, kind=kind, inner=inner, **values)


def dump(*nodes: str, size: Size = SCREEN) -> bytes:
    """A dump of a window with these nodes."""
    bounds = f"[0,0][{size.width},{size.height}]"
    whole = node("", bounds, "android.widget.FrameLayout", "".join(nodes), clickable="false", id="")
    return f"<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\">{whole}</hierarchy>".encode()


def button(text: str, bounds: Rect) -> Target:
    """The target of a touch on the first node of a dump."""
    return Target((0, 0), bounds, (f"text='{text}'",), {"text": text, "class": "android.widget.Button"})


def add_trajectory(
    project: Project, name: str, actions: Sequence[Action | None], *, task: str = "t", kind: str = GOLDEN,
    size: Size = SCREEN, trees: Mapping[int, bytes] | None = None,
    targets: Mapping[int, Target] | None = None,
    thoughts: Sequence[str] = (), status: str = "", shade: int = 0, started: str = "", width: int = 0,
) -> Path:  # fmt: skip
    """A trajectory whose screens are all different; with the ``status`` of an outcome it is a run's."""
    header = TrajectoryHeader(
        name, task, kind, started=started, episode=Episode("e", agent="a") if kind == RUN else None,
        outcome=Outcome(status) if status else None,
    )  # fmt: skip
    with project.new_trajectory(header) as writer:
        for index, action in enumerate(actions):
            said = thoughts[index] if index < len(thoughts) else ""
            turn = AgentTurn(said, predicted=action) if kind == RUN else None
            step = Step(
                index, index * 100, "", State("a", ".M", size=size), action, agent=turn,
                target=(targets or {}).get(index), intention="" if turn else said,
                description=f"Do {index}",
            )  # fmt: skip
            step = replace(step, state=State(package="a", activity=".M", size=size))
            picture = png(width or size.width, size.height, shade=(shade + index) % 256)
            writer.append(step, picture, (trees or {}).get(index))
        writer.finish()
    return writer.folder


def new_project(folder: Path, *tasks: Task) -> Project:
    """A project with these tasks, by default one."""
    project = Project.create(folder)
    project.save_tasks(tasks or [Task("t", "Do it", package="a")])
    return project


def exported(project: Project, format_id: str, path: Path, **options: Any) -> ExportResult:
    """Export all of a project with options of the format."""
    return export_project(project, format_id, path, ExportChoice(options=options))


def rows(folder: Path, side: str = "train") -> list[dict[str, Any]]:
    """The lines of a side; none when there is no such file."""
    path = folder / f"{side}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def answers(row: Mapping[str, Any]) -> list[str]:
    """What the model says in a row of LLaMA-Factory or ms-swift."""
    return [each["content"] for each in row["messages"] if each["role"] == "assistant"]

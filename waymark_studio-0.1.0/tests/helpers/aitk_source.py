"""An experiment and annotations as AITK's scripts write them, small."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.helpers.steps import png, xml

TASK: dict[str, Any] = {
    "name": "cnn_tariff",
    "task": "Search for news about tariffs",
    "level": "easy",
    "category": "operation",
    "max_steps": 15,
    "app": "cnn",
    "app_package": "com.cnn.mobile.android.phone",
    "essential states": '["Search box is activated", "Results are displayed"]',
}
CONFIG: dict[str, Any] = {
    "device": {"udid": "emulator-5554", "avd_name": "A3V2"},
    "translator": "qwen25_vl",
    "translator_args": {"max_pixels": 784000},
    "experiment": {"name": "qwen25vl_test", "save_root_dir": "saves/", "backend": "adb"},
}


def aitk_folder(folder: Path, steps: list[dict[str, Any]], **changes: Any) -> Path:
    """Write the folder of a run or an annotation; ``changes`` go into its history, None takes a key out."""
    for number, step in enumerate(steps):
        for kind, data in (
            ("screenshots/step_{}.png", png(shade=number)),
            ("xmls/step_{}.xml", xml(f"n{number}")),
        ):
            path = folder / "states" / kind.format(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        names = {"screenshot": f"step_{number}.png", "xml": f"step_{number}.xml"}
        steps[number] = {**names, "package": "com.cnn", "activity": ".Main", **step}
    history = {**TASK, "exp_args": CONFIG, **changes, "steps": steps}
    text = json.dumps({key: value for key, value in history.items() if value is not None}, ensure_ascii=False)
    (folder / "history.json").write_text(text, "utf-8")
    return folder


def said(message: str, **action: Any) -> dict[str, Any]:
    """A step of a run."""
    return {"agent_message": message, "action": action}


def answered(folder: Path, step: int, state: str, response: str | None, **more: Any) -> dict[str, Any]:
    """A line of ``eval_results.jsonl``."""
    metadata = {
        "task_name": TASK["name"], "category": "operation", "level": "easy", "step_index": step,
        "essential_state": state, "traj_dir": f"agent_trajectories/{folder.name}",
    }  # fmt: skip
    line = {"problem": "...", "images": ["a.png", "b.png"], "metadata": metadata, **more}
    return line if response is None else {**line, "response": response}

"""A small valid source of every format, and what can be wrong with one: values, encodings, names."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.helpers.dataset_samples import DATASET_SAMPLES
from tests.helpers.steps import png, xml

HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 10**18, 10**400, float("nan"), float("inf"), float("-inf"), "", " ", "x", "7",
    "\ud800", "\u2028", "\x00", "[1, 2", "n" * 5000, "../../etc/passwd", "a/b", "..", "NaN", [], {}, [[]],
    [None], [1, "2", None], {"a": 1}, {"self": 1, "kind": 2}, "DEEP",
)  # fmt: skip
"""Values to put where a format has another."""
_DEEP = json.loads("[" * 150 + "]" * 150)


def _aitk() -> dict[str, Any]:
    said = '<think>hm</think><tool_call>{"arguments": {"action": "click", "coordinate": [1, 2]}}</tool_call>'
    step = {"screenshot": "step_0.png", "xml": "step_0.xml", "action": {"action": "tap", "x": 1, "y": 2},
            "package": "a", "activity": ".M",
            "achieved_essential_states": ["One"], "agent_message": said}  # fmt: skip
    swipe = {"action": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "duration": 5}
    config = {"translator": "qwen25_vl", "translator_args": {"max_pixels": 784000}, "device": {"udid": "d"},
              "experiment": {"name": "e"}}  # fmt: skip
    head = {"name": "t", "task": "Do it", "level": "easy", "essential states": '["One"]', "app": "A",
            "app_package": "a", "max_steps": 5, "exp_args": config}  # fmt: skip
    steps = [step, {**step, "action": swipe}, {**step, "action": {"action": "end", "answer": "success"}}]
    about = {"task_name": "t", "step_index": 0, "essential_state": "One", "traj_dir": "runs/t_1"}
    return {
        "t_1/history.json": {**head, "steps": steps},
        "t_1/states/screenshots/step_0.png": png(),
        "t_1/states/xmls/step_0.xml": xml(),
        "eval_results.jsonl": [{"metadata": about, "response": "<answer>yes<answer>", "images": ["a"]}],
    }


def _droidbot() -> dict[str, Any]:
    view = {"bounds": [[4, 10], [20, 20]], "children": [], "text": "Buy", "clickable": True}
    root = {"bounds": [[0, 0], [40, 80]], "children": [1], "class": "F", "package": "a", "temp_id": 0}
    state = {"state_str": "s", "tag": "2024-01-01_100000", "foreground_activity": "a/.M", "width": 40,
             "height": 80, "views": [root, view]}  # fmt: skip
    event = {"tag": "2024-01-01_100000", "start_state": "s", "stop_state": "s", "event_str": "Touch()",
             "event": {"event_type": "touch", "x": 3, "y": 4, "view": view, "duration": 5}}  # fmt: skip
    return {
        "run/utg.js": {"app_package": "a", "device_model_number": "P", "device_sdk_version": 30},
        "run/states/state_2024-01-01_100000.json": state,
        "run/states/screen_2024-01-01_100000.png": png(40, 80),
        "run/events/event_2024-01-01_100000.json": event,
    }


def _dgara_runs() -> dict[str, Any]:
    decision = {"action": "swipe", "coords": [[1, 2], [3, 4]], "thought": "so", "input_text": "x"}
    return {
        "base/base-9/eva_log.jsonl": [
            {"type": "task_start", "timestamp": 100.0, "task_id": "Do", "device_id": "d", "rule_key": "k"},
            {"type": "agent_decision_vlm", "timestamp": 101.0, "step": 0, "decision": decision},
            {"type": "injected", "timestamp": 102.0, "step": 0, "id": "low"},
            {"type": "task_end", "timestamp": 103.0, "status": "ok", "reason": "so"},
        ],
        "base/base-9/run_log.jsonl": [{"type": "agent_action", "timestamp": 101.5, "action": "tap"}],
        "base/base-9/0_screen.png": png(),
        "base/base-9/step_0_monitor_event.txt": b"X",
    }


def _openapps() -> dict[str, Any]:
    kind = "open_apps.tasks.tasks"
    sing = {"_target_": f"{kind}.AddToDoTask", "goal": "Sing", "todo_name": "Sing", "is_done": False}
    hut = {"_target_": f"{kind}.SavePlaceTask", "goal": "Hut", "name": "Hut", "latitude": 60,
           "longitude": 10.5, "tolerance_km": 0.5}  # fmt: skip
    both = {"_target_": f"{kind}.CompositeTask", "goal": "Both", "subtasks": [sing, {
        "_target_": f"{kind}.AddEventTask", "goal": "Fair", "title": "Fair", "date": "2026-01-02",
        "description": None, "location": "Hall", "url": None, "invitees": ["Ida"]}]}  # fmt: skip
    contents: dict[str, Any] = {
        "todo": {"title": "T", "init_todos": [["Sweep", True]]},
        "calendar": {"events": [{"title": "Fair", "date": "2026-01-02", "invitees": "Ida"}]},
        "messenger": {"users": ["Ida"], "chat_history": {"Ida": [["Hi", False, "Ida", "1"]]}},
        "maps": {"init_location": [1, 2], "saved_places": [{"name": "Mill", "lat": 1, "lng": 2.5}]},
        "code_editor": {"filesystem": [{"type": "folder", "name": "a", "content": [
            {"type": "file", "name": "b", "content": "c"}]}]},
        "onlineshop": {"cart": [{"asin": "B", "quantity": 2}], "orders": [
            {"order_id": "o", "items": {"('B', '{}')": {"quantity": 1}}, "total": 3, "date": "2025-01-02"}]},
        "start_page": {"headline": "Hi", "apps": {"todo": {"title": "T", "description": "${apps.word}"}}},
    }  # fmt: skip
    pop_up = {"title": "Hi", "content": "x", "button_title": "Go", "position": "top", "url_extension": ""}
    files = {f"config/apps/{app}/content/default.yaml": keys for app, keys in contents.items()}
    looks = {"font_family": "Times", "base_font_size": "16px", "font_color": "#ffffff"}
    return {
        "config/config.yaml": {"apps": {"word": "stop"}},
        "config/tasks/some.yaml": {
            "sing": sing,
            "sing__casual_1": {**sing, "goal": "pls"},
            "hut": hut,
            "both": both,
        },
        **files,
        "config/apps/todo/content/more.yaml": {
            "defaults": ["default"],
            "+init_todos": [["${apps.word}", False]],
        },
        "config/apps/todo/appearance/night.yaml": looks,
        "config/apps/pop_ups/loud.yaml": {"pop_up1": pop_up},
    }


SAMPLES: dict[str, dict[str, Any]] = {
    **DATASET_SAMPLES,
    "aitk": _aitk(),
    "probench-tasks": {"tasks.csv": b"Application,Task Instruction,Max Steps\nShop,Buy it,5\n"},
    "aitk-tasks": {
        "tasks.jsonl": [
            {"name": "1", "task": "Do", "app_package": "b", "essential states": "['A']", "max_steps": 3}
        ]
    },
    "aitz": {
        "e/DEMO.json": [
            {"episode_id": "1", "step_id": 0, "instruction": "Do", "image_path": "e/DEMO_0.png",
             "ui_positions": "[[1, 2, 3, 4]]", "ui_text": ["x"], "ui_types": ["TEXT"],
             "result_action_type": 4, "result_action_text": "", "result_touch_yx": "[0.5, 0.5]",
             "result_lift_yx": [0.5, 0.5], "coat_action_think": "so", "coat_screen_desc": "d"}
        ],
        "e/DEMO_0.png": png(40, 80),
    },
    "androidcontrol": {
        "episodes.jsonl": [
            {"goal": "Do", "is_successful": True, "steps": [
                {"screenshot": "a/1.png", "action_content": {"action": "click", "coordinate": [1, 2]}},
                {"screenshot": "2.png", "action_content": {"action": "wait", "time": 2}},
                {"action_content": {"action": "terminate", "status": "success"}},
            ]}
        ],
        "a/1.png": png(),
    },
    "dgara-collected": {"7_Do it/step_1_screenshot.png": png(), "7_Do it/step_1_ui.xml": xml()},
    "dgara-runs": _dgara_runs(),
    "dgara-tasks": {
        "D-GARA.json": [
            {"id": 1, "description": "Do", "app": "a", "rule_key": "k", "target_rule_ids": ["r"], "n": 1}
        ]
    },
    "droidbot": _droidbot(),
    "interdroid": {
        "r/record.json": {"target": "Do", "steps": [
            {"step_id": 1, "action_type": "click", "action_detail": {"x": 1, "y": 2}, "activity_info": "a"},
            {"step_id": 2, "action_type": "swipe", "action_detail": {"x1": 1, "y1": 2, "x2": 3, "y2": 4}},
        ]},
        "r/screenshots/step_1.png": png(),
        "r/ui_trees/step_1_ui.xml": xml(),
    },
    "llamatouch": {
        "trace_0/0.png": png(40, 80),
        "trace_0/0.xml": xml(),
        "trace_0/0.activity": b"a/.M",
        "trace_0/instruction.txt": b"9\nDo",
        "trace_0/eventStructs.txt": b"[Click] Screen Resolution (20, 40), Click Position (10, 20)\n[Home]\n",
    },
    "openapps": _openapps(),
    "plain": {"mine/1.png": png(), "mine/1.xml": xml(), "mine/2.png": png(), "mine/2.xml": xml()},
}  # fmt: skip
"""Format -> its files: bytes, or the value of a JSON file, of JSON lines or of a script."""


def write_source(folder: Path, files: dict[str, Any]) -> Path:
    """Write a sample into ``folder``."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else _written(name, content))
    return folder


def write_mutated(folder: Path, files: dict[str, Any], rng: random.Random) -> Path:
    """Write a sample with one to three things wrong."""
    files = copy.deepcopy(files)
    for _fault in range(rng.randint(1, 3)):
        name = rng.choice(list(files))
        if not isinstance(files[name], bytes) and rng.random() < 0.7:
            files[name] = _with_wrong_value(files[name], rng)
        else:
            files[name] = rng.choice(_FILE_FAULTS)(_written(name, files[name]), rng)
    write_source(folder, files)
    if rng.random() < 0.3:
        _misname(folder, sorted(path for path in folder.rglob("*") if path.is_file()), rng)
    return folder


def _written(name: str, content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    if name.endswith(".jsonl"):
        lines = content if isinstance(content, list) else [content]
        return "\n".join(map(json.dumps, lines)).encode()
    if "/apps/" in name:  # JSON is YAML, too, but for the comment that says where its keys belong
        app = name.split("/apps/")[1].split("/")[0].removesuffix(".yaml")
        return f"# @package apps.{app}\n{json.dumps(content)}".encode()
    return (b"var utg = \n" if name.endswith(".js") else b"") + json.dumps(content).encode()


def _with_wrong_value(value: Any, rng: random.Random) -> Any:
    """The document with one value replaced, left out, doubled or wrapped, wherever it lies."""
    value = copy.deepcopy(value)
    places: list[tuple[Any, Any]] = []
    _collect(value, places)
    if not places:
        return value
    holder, key = rng.choice(places)
    fault = rng.random()
    if fault < 0.75:
        hostile = rng.choice(HOSTILE)
        holder[key] = _DEEP if hostile == "DEEP" else hostile
    elif fault < 0.85:
        del holder[key]
    elif fault < 0.95:
        holder[key] = [holder[key]]
    elif isinstance(holder, dict):
        holder[rng.choice(("self", "kind", "t_ms", "\ud800", "", "n" * 300))] = holder.pop(key)
    return value


def _collect(value: Any, places: list[tuple[Any, Any]]) -> None:
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, entry in entries:
        places.append((value, key))
        _collect(entry, places)


def _flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data or b"x")
    for _byte in range(3):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


_FILE_FAULTS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    lambda _data, _rng: b"",
    lambda data, rng: data[: rng.randrange(len(data) + 1)],
    lambda data, _rng: b"\xef\xbb\xbf" + data,
    lambda data, _rng: data.decode("latin-1").encode("utf-16"),
    lambda data, _rng: data + b"\x00\xff\xfe\n",
    lambda data, _rng: data + data,
    _flipped,
)


def _misname(folder: Path, paths: list[Path], rng: random.Random) -> None:
    """Give a file another name, make a folder or a link of it, or remove it."""
    path = rng.choice(paths)
    digits = "".join(character if not character.isdigit() else "9" * 40 for character in path.stem)[:200]
    kind = rng.randrange(7)
    if kind == 0:
        path.unlink()
    elif kind == 1:
        path.unlink()
        path.mkdir()
    elif kind == 2:
        path.unlink()
        path.symlink_to("/etc/hostname")
    elif kind == 3:
        path.rename(path.with_name(os.fsdecode(b"\xff") + path.name))
    elif kind == 4:
        path.rename(path.with_name("n" * (250 - len(path.suffix)) + path.suffix))
    elif kind == 5:
        path.rename(path.with_name(digits + path.suffix))
    elif path.parent != folder:
        path.parent.rename(path.parent.with_name(os.fsdecode(b"\xe9 \xff" + b"n" * 150)))

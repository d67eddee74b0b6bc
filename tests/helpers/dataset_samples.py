"""A small valid source of each published data set and agent's log, by the id of its format."""

from __future__ import annotations

from typing import Any

from tests.helpers.record_samples import aitw, android_control, android_world
from tests.helpers.steps import png, xml


def _odyssey() -> dict[str, Any]:
    steps = [
        {"step": 0, "screenshot": "7_0.png", "action": "CLICK", "info": [[250, 500]], "intention": "so"},
        {"step": 1, "screenshot": "7_1.png", "action": "SCROLL", "info": [[500, 750], [500, 250]], "ps": ""},
        {"step": 2, "screenshot": "7_1.png", "action": "CLICK", "info": "KEY_BACK"},
        {"step": 3, "screenshot": "7_0.png", "action": "TEXT", "info": "bread", "sam2_bbox": [1, 2, 3, 4]},
        {"step": 4, "screenshot": "7_0.png", "action": "COMPLETE", "info": ""},
    ]
    about = {
        "category": "Multi_Apps",
        "app": ["Shop", "Chat"],
        "meta_task": "Buy {}",
        "instruction": "Buy it",
    }
    device = {"device_name": "Pixel 7 Pro", "w": 40, "h": 80, "sdk_version": "33"}
    episode = {"episode_id": "7", "device_info": device, "task_info": about, "step_length": 5, "steps": steps}
    return {
        "odyssey/annotations/7.json": episode,
        "odyssey/screenshots/data_0/7_0.png": png(40, 80),
        "odyssey/screenshots/7_1.png": png(40, 80),
    }


def _amex() -> dict[str, Any]:
    place = {
        "touch_coord": [20, 30],
        "lift_coord": [20, 30],
        "device_dim": [80, 160],
        "package_name": "a.shop",
    }
    steps = [
        {"step_id": 0, "image_path": "a.png", "action": "TAP", "type_text": "", **place},
        {"step_id": 1, "image_path": "a.png", "action": "SWIPE", **place, "lift_coord": [20, 90]},
        {"step_id": 2, "image_path": "b.png", "action": "TYPE", "type_text": "bread", **place},
        {"step_id": 3, "image_path": "b.png", "action": "TASK_COMPLETE"},
    ]
    element = {"bbox": [4, 10, 20, 20], "xml_desc": ["Buy"], "functionality": "buys it"}
    return {
        "AMEX/instruction_anno/e.json": {"episode_id": "e", "instruction": "Buy it", "steps": steps},
        "AMEX/element_anno/a.json": {"image_path": "a.png", "clickable_elements": [element]},
        "AMEX/screenshot/a.png": png(40, 80),
        "AMEX/screenshot/b.png": png(40, 80, 9),
    }


def _mobiagent() -> dict[str, Any]:
    actions = [
        {"type": "click", "position_x": 10, "position_y": 15, "bounds": [4, 10, 20, 20]},
        {"type": "swipe", "press_position": {"x": 1, "y": 2}, "release_position": {"x": 3, "y": 4}},
        {"type": "input", "text": "bread"},
        {"type": "done"},
    ]
    head = {"app_name": "Shop", "task_type": "type1", "task_description": ["Buy it", "Get it"]}
    reasons = [{"reasoning": f"because {number}", "function": {"name": "click"}} for number in range(4)]
    shots = {f"data/Shop/type1/1/{number}.jpg": png(40, 80, number) for number in range(1, 5)}
    return {
        "data/Shop/type1/1/actions.json": {**head, "action_count": 4, "actions": actions},
        "data/Shop/type1/1/react.json": reasons,
        "data/Shop/type1/1/1_highlighted.jpg": png(40, 80),
        "data/Shop/type1/1/1.xml": xml("Buy", "[4,10][20,20]"),
        **shots,
    }


def _android_lab() -> dict[str, Any]:
    def line(number: int, action: str, **values: Any) -> dict[str, Any]:
        return {
            "trace_id": "shop_1", "index": number, "prompt": "Buy it", "target": "Buy it", "window": [40, 80],
            "image": f"/logs/run/shop_1_x/Screen/screenshot-{number}-1.5-before.png", "ac_xml": None,
            "xml": f"logs/run/shop_1_x/xml/{number}.xml", "current_activity": "a.shop",
            "parsed_action": {"operation": "do", "action": action, "kwargs": values},
            "current_response": f'do(action="{action}")',
        }  # fmt: skip

    lines = [
        line(0, "Tap", element=[4, 10, 20, 20]),
        line(1, "Swipe", element=[20, 40], direction="up", dist="medium"),
        line(2, "Type", text="bread"),
        line(3, "Press Back"),
        {**line(4, "finish", message="done"), "xml": "ERROR"},
    ]
    result = {"task_id": "shop_1", "task": "Buy it", "metric_type": "operation", "result": {"complete": True}}
    shots = {f"run/shop_1_x/Screen/screenshot-{number}-1.5-before.png": png(40, 80) for number in range(5)}
    return {
        "run/shop_1_x/traces/trace.jsonl": lines,
        "run/shop_1_x/xml/0.xml": xml("Buy", "[4,10][20,20]"),
        "run/shop_1_x/xml/0_compressed_xml.txt": b"Buy",
        "run/results.jsonl": [result],
        **shots,
    }


def _spa_bench() -> dict[str, Any]:
    def entry(number: int, name: str, detail: Any, kind: str = "string") -> dict[str, Any]:
        return {"step": number, "response": name, "prompt_tokens": 5, "completion_tokens": 2,
                "action": [name, {"detail_type": kind, "detail": detail}]}  # fmt: skip

    swiped = "The swipe action has been performed starting from coordinates (1.5,2) to (3, 4)."
    entries = [
        entry(1, "tap", [10, 15], "coordinates"),
        entry(2, "SWIPE", swiped),
        entry(3, "type", 'The text "bread" has been inputted.'),
        entry(4, "swipe up", "Swipe up."),
        entry(5, "press back", "Back to the previous page."),
        entry(6, "STATUS_TASK_COMPLETE", "Task completed."),
        {"total_steps": 6, "finish_signal": 1, "elapsed_time_exec": 2.5},
    ]
    table = b"task_identifier,task_app,task_description,golden_steps\nshop_0,Shop,Buy it,3\n"
    shots = {f"session-1/shop_0/CogAgent/{number}.png": png(40, 80, number) for number in range(7)}
    return {
        "session-1/results.csv": table,
        "session-1/shop_0/CogAgent/log.json": entries,
        "session-1/shop_0/CogAgent/tap_only/0.png": png(40, 80),
        **shots,
    }


DATASET_SAMPLES: dict[str, dict[str, Any]] = {
    "aitw": {"general-00000-of-00321": aitw()},
    "amex": _amex(),
    "android-lab": _android_lab(),
    "android-world": {"run/ShopBuy_0.pkl.gz": android_world()},
    "androidcontrol-records": {"android_control-00000-of-00020": android_control()},
    "gui-odyssey": _odyssey(),
    "mobiagent": _mobiagent(),
    "spa-bench": _spa_bench(),
}

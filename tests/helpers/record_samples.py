"""Files of others that are not text: TFRecord files and pickles of AndroidWorld, as they are written."""

from __future__ import annotations

import gzip
import pickle
import struct
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

ELEMENTS = "android_world.env.representation_utils"
_CASTAGNOLI = 0x82F63B78


def _checksum(data: bytes) -> bytes:
    """The masked CRC-32C, bit by bit."""
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _bit in range(8):
            state = state >> 1 ^ (_CASTAGNOLI if state & 1 else 0)
    crc = state ^ 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record_file(*records: bytes, compressed: bool = True) -> bytes:
    """A TFRecord file."""
    framed = b""
    for record in records:
        length = struct.pack("<Q", len(record))
        framed += length + _checksum(length) + record + _checksum(record)
    return gzip.compress(framed, mtime=0) if compressed else framed


def varint(value: int) -> bytes:
    """A whole number as protocol buffers write it."""
    value &= (1 << 64) - 1
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """A message of numbered fields."""
    written = b""
    for number, value in fields:
        if isinstance(value, int):
            written += varint(number << 3) + varint(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            written += varint(number << 3 | 2) + varint(len(data)) + data
    return written


def example(features: Mapping[str, Sequence[Any]]) -> bytes:
    """A ``tf.train.Example`` of named lists."""
    entries = [message((1, name), (2, _feature(values))) for name, values in features.items()]
    return message((1, message(*((1, entry) for entry in entries))))


def _feature(values: Sequence[Any]) -> bytes:
    if any(isinstance(value, float) for value in values):
        return message((2, message((1, struct.pack(f"<{len(values)}f", *values)))))
    if values and all(isinstance(value, int) for value in values):
        return message((3, message((1, b"".join(map(varint, values))))))
    return message((1, message(*((1, value) for value in values))))


def forest(*nodes: Mapping[int, Any], layer: int = 1) -> bytes:
    """An accessibility forest of one window; nodes by the numbers of their fields."""
    tree = message(*((1, message(*node.items())) for node in nodes))
    return message((1, message((4, layer), (11, tree))))


def rect(left: int, top: int, right: int, bottom: int) -> bytes:
    """A rectangle of a forest."""
    return message((1, left), (2, top), (3, right), (4, bottom))


@contextmanager
def strange_classes() -> Iterator[dict[str, type]]:
    """Classes of AndroidWorld and a strange one by name, for as long as something is pickled."""
    names = {
        "UIElement": ELEMENTS,
        "BoundingBox": ELEMENTS,
        "JSONAction": "android_world.env.json_action",
        "Response": "requests_of_a_stranger.models",
    }
    made = {name: type(name, (), {"__module__": module}) for name, module in names.items()}
    modules = {module: types.ModuleType(module) for module in names.values()}
    for name, module in names.items():
        setattr(modules[module], name, made[name])
    parents = {module.rpartition(".")[0] for module in modules}
    for name in (*parents, *{parent.partition(".")[0] for parent in parents}):
        modules.setdefault(name, types.ModuleType(name))
    before = dict(sys.modules)
    sys.modules.update(modules)
    try:
        yield made
    finally:
        for name in modules:
            sys.modules.pop(name, None)
        sys.modules.update({name: module for name, module in before.items() if name in modules})


def instance(kind: type, **fields: Any) -> Any:
    """An object of a class with these fields."""
    made = kind()
    made.__dict__.update(fields)
    return made


def android_world(protocol: int = 4, steps: int = 2, **changed: Any) -> bytes:
    """A checkpoint of AndroidWorld: an episode of M3A with UI elements and an object of a strange class."""
    import numpy as np

    with strange_classes() as kinds:
        box = instance(kinds["BoundingBox"], x_min=4, x_max=20, y_min=10, y_max=20)
        names = {"package_name": "a.shop", "resource_name": "a.shop:id/buy", "content_description": None}
        buy = instance(
            kinds["UIElement"], text="Buy", class_name="B", bbox_pixels=box, is_clickable=True, **names
        )
        tap = 'Reason: it sells\nAction: {"action_type": "click", "index": 0}'
        end = 'Reason: done\nAction: {"action_type": "status", "goal_status": "complete"}'
        picture = np.zeros((80, 40, 3), np.uint8)
        lists = {
            "raw_screenshot": [picture] * steps,
            "before_screenshot_with_som": [picture] * steps,
            "before_ui_elements": [[buy]] * steps,
            "action_output": [*[tap] * (steps - 1), end],
            "action_raw_response": [instance(kinds["Response"], status_code=200)] * steps,
            "summary": ["so"] * steps,
            "step_number": list(range(steps)),
        }
        episode = {"goal": "Buy it", "task_template": "ShopBuy", "episode_data": lists,
                   "is_successful": np.float64(1.0), "agent_name": "m3a", "instance_id": 0, "seed": 30,
                   "exception_info": None, "run_time": 2.5}  # fmt: skip
        return gzip.compress(pickle.dumps([{**episode, **changed}], protocol), mtime=0)


def android_control() -> bytes:
    """A file of AndroidControl: one episode of two actions with its forests."""
    from tests.helpers.steps import png

    trees = forest(
        {1: 0, 2: rect(0, 0, 40, 80), 3: "F", 6: "a.shop", 25: varint(1)},
        {1: 1, 2: rect(4, 10, 20, 20), 7: "Buy", 10: "a.shop:id/buy", 14: 1},
    )
    return record_file(
        example(
            {
                "episode_id": [7],
                "goal": ["Buy it"],
                "screenshots": [png(40, 80), png(40, 80, 9)],
                "screenshot_widths": [40, 40],
                "screenshot_heights": [80, 80],
                "accessibility_trees": [trees, trees],
                "actions": ['{"action_type": "click", "x": 10, "y": 15}'],
                "step_instructions": ["Tap buy"],
            }
        )
    )


def aitw() -> bytes:
    """A file of AITW: two episodes, of two steps and of one."""

    def step(episode: str, number: int, kind: int) -> bytes:
        return example({
            "episode_id": [episode], "step_id": [number], "episode_length": [2], "goal_info": ["Buy it"],
            "android_api_level": [30], "device_type": ["pixel_4"], "current_activity": ["a.shop/.Main"],
            "image/height": [80], "image/width": [40], "image/channels": [3], "image/encoded": [bytes(9600)],
            "image/ui_annotations_positions": [0.125, 0.1, 0.125, 0.4],
            "image/ui_annotations_text": ["Buy"], "image/ui_annotations_ui_types": ["TEXT"],
            "results/action_type": [kind], "results/type_action": [""],
            "results/yx_touch": [0.2, 0.3], "results/yx_lift": [0.2, 0.3],
        })  # fmt: skip

    return record_file(step("one", 0, 4), step("one", 1, 10), step("two", 0, 6))


def venus_trajectory() -> bytes:
    """A trajectory of UI-Venus' framework: a tap, and the end."""
    tap = {"action_type": "CLK", "action_pos": [[10, 15]], "input": "", "duration": -1}
    steps = [
        {"step": 1, "screenshot_path": "step_001.png", "state": {}, "action": tap, "think": "it sells",
         "pred_action": "<action>Click(box=(250,187))</action>", "conclusion": "", "success": True},
        {"step": 2, "screenshot_path": "step_002.png", "action": {"action_type": "SUCCESS"}},
    ]  # fmt: skip
    episode = {"goal": "Buy it", "episode_id": "one", "mini_app_name": "Shop", "episode_data": steps,
               "is_successful": True, "termination_reason": "success"}  # fmt: skip
    return gzip.compress(pickle.dumps(episode, 4), mtime=0)

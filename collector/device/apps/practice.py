"""Ask a virtual phone how far the recordings were followed that it plays."""

from __future__ import annotations

import json

from collector.device.protocols import Cancel, Device
from collector.model.phone.practice import Practice


def read_practice(device: Device, cancel: Cancel | None = None) -> Practice | None:
    """Ask a phone; None for one that plays no recordings. Raises DeviceError."""
    answer = device.shell("cmd waymark practice", cancel=cancel)
    if answer.status != 0:
        return None
    try:
        report = json.loads(answer.text)
        followed = {
            str(entry["trajectory"]): (int(entry["followed"]), int(entry["of"]))
            for entry in report["recordings"]
        }
        return Practice(followed, int(report["off_path"]))
    except (ValueError, KeyError, TypeError):  # no phone of ours
        return None

"""The sample with its trajectories repeated to thousands, each with real screens, verdicts and events."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from collector.model.resources import asset
from collector.store.files import layout


def large_sample(folder: Path, count: int, *, of_goldens: bool = False) -> Path:
    """A copy of the sample with ``count`` runs or golden trajectories more.

    Pictures and trees are links to the first ones'.
    """
    ignored = shutil.ignore_patterns(".gitkeep", layout.CACHE)
    shutil.copytree(asset("sample"), folder, ignore=ignored)
    headers = sorted(folder.glob(f"trajectories/*/*/{layout.HEADER}"))
    headers = [header for header in headers if ("__" in header.parent.name) != of_goldens]
    for number in range(count):
        header = headers[number % len(headers)]
        _copy_of(header, 2 + number // len(headers))
    return folder


def _copy_of(header: Path, repeat: int) -> None:
    document = json.loads(header.read_bytes())
    name = document["id"].replace("__r0__", f"__r{repeat}__")
    if "episode" not in document:
        name = f"{name}-{repeat}"
    copied = header.parent.parent / name
    shutil.copytree(header.parent, copied, copy_function=os.link)
    document["id"] = name
    if "episode" in document:
        document["episode"]["repeat"] = repeat
    (copied / layout.HEADER).unlink()
    (copied / layout.HEADER).write_text(json.dumps(document))

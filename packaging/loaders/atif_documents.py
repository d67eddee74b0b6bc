"""Read an export as ATIF with the models of the package `atif`, and find every picture it names."""

import sys
from pathlib import Path

from atif import Trajectory

COUNT = PICTURES = 0
for document in sorted(Path(sys.argv[1]).rglob("trajectory.json")):
    trajectory = Trajectory.model_validate_json(document.read_bytes())
    assert trajectory.schema_version == "ATIF-v1.7"
    parts = [part for step in trajectory.steps if isinstance(step.message, list) for part in step.message]
    for step in trajectory.steps:
        for result in step.observation.results if step.observation else ():
            parts += result.content or []
    pictures = [part.source.path for part in parts if part.type == "image"]
    assert all((document.parent / path).is_file() for path in pictures)
    COUNT, PICTURES = COUNT + 1, PICTURES + len(pictures)
assert COUNT
assert PICTURES
print(f"{COUNT} trajectories, {PICTURES} pictures")

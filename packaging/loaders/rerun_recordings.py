"""Read an export as Rerun recordings with its own reader: screens, trees and verdicts on both timelines."""

import sys
from pathlib import Path

from rerun.chunk import RrdReader

RECORDINGS = SCREENS = VERDICTS = 0
for path in sorted(Path(sys.argv[1]).rglob("*.rrd")):
    rows: dict[str, int] = {}
    for chunk in RrdReader(path).stream():
        rows[chunk.entity_path] = rows.get(chunk.entity_path, 0) + chunk.num_rows
        if chunk.entity_path.startswith(("/screen", "/tree", "/verdicts")):
            assert chunk.timeline_names == ["step", "time"], (path, chunk.entity_path)
    assert rows["/screen"] == rows["/tree"] == rows["/screen/nodes"] == rows["/screen/touch"], path
    RECORDINGS, SCREENS = RECORDINGS + 1, SCREENS + rows["/screen"]
    VERDICTS += sum(count for name, count in rows.items() if name.startswith("/verdicts/"))
assert SCREENS
assert VERDICTS
print(f"{RECORDINGS} recordings, {SCREENS} screens, {VERDICTS} verdicts")

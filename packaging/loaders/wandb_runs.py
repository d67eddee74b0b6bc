"""Read an export as offline runs of Weights & Biases: the records of its file, by the messages of its SDK.

The file is a log of LevelDB behind seven bytes of its own: blocks of 32 KiB with parts of records, each
with a checksum, a length, and whether it is a whole record, the first, a middle or the last part of one.
"""

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from wandb.proto.wandb_internal_pb2 import Record

BLOCK, HEAD = 32 * 1024, struct.Struct("<IHB")
WHOLE, FIRST, LAST = 1, 2, 4


def records(path: Path) -> Iterator[Record]:
    """The records of a file. Raises AssertionError when it is none of them."""
    data, place, read = path.read_bytes(), 7, b""
    assert data.startswith(b":W&B"), path
    while place + HEAD.size <= len(data):
        left = BLOCK - place % BLOCK
        if left < HEAD.size:
            place += left
            continue
        _checksum, length, kind = HEAD.unpack_from(data, place)
        part = data[place + HEAD.size : place + HEAD.size + length]
        place += HEAD.size + length
        read = part if kind in (WHOLE, FIRST) else read + part
        if kind in (WHOLE, LAST):
            record = Record()
            record.ParseFromString(read)
            yield record


RUNS = ROWS = SCREENS = 0
for run in sorted(Path(sys.argv[1]).glob("wandb/offline-run-*")):
    found = list(records(next(run.glob("run-*.wandb"))))
    about = next(each.run for each in found if each.WhichOneof("record_type") == "run")
    assert run.name.endswith(about.run_id), run
    assert not about.host, run
    rows = [each.history for each in found if each.WhichOneof("record_type") == "history"]
    for row in rows:
        values = {(*item.nested_key, item.key): json.loads(item.value_json) for item in row.item}
        picture = values.get(("screen", "path", ""))
        if picture:
            assert (run / "files" / picture).stat().st_size == values["screen", "size", ""], picture
            SCREENS += 1
    assert found[-1].WhichOneof("record_type") == "exit", run
    RUNS, ROWS = RUNS + 1, ROWS + len(rows)
assert SCREENS
print(f"{RUNS} runs, {ROWS} steps, {SCREENS} screens")

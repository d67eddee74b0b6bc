"""Read an export of training data with `datasets`, parquet or lines of JSON, and open each picture."""

import sys
from pathlib import Path

from datasets import load_dataset
from PIL import Image

ROOT = Path(sys.argv[1])
ROWS = PICTURES = 0
FILES = sorted(map(str, [*ROOT.rglob("*.parquet"), *ROOT.glob("*.jsonl")]))
for file in FILES:
    kind = "parquet" if file.endswith(".parquet") else "json"
    rows = load_dataset(kind, data_files=file, split="train", cache_dir=str(ROOT.parent / "cache"))
    for row in rows:
        shown = [*(row.get("images") or []), *([row["image"]] if row.get("image") else [])]
        for picture in shown:
            opened = picture if isinstance(picture, Image.Image) else Image.open(ROOT / picture)
            opened.load()
        ROWS, PICTURES = ROWS + 1, PICTURES + len(shown)
assert ROWS
assert PICTURES
print(f"{ROWS} rows, {PICTURES} pictures")

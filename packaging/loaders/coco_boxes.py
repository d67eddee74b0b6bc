"""Read an export as COCO boxes with `pycocotools`: every box lies in its picture, which is there."""

import sys
from pathlib import Path

from pycocotools.coco import COCO

ROOT = Path(sys.argv[1])
PICTURES = BOXES = 0
for path in sorted(ROOT.glob("annotations/*.json")):
    coco = COCO(str(path))
    for image in coco.loadImgs(coco.getImgIds()):
        named = list(ROOT.rglob(Path(image["file_name"]).name))
        assert named, image["file_name"]
        annotations = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        for annotation in annotations:
            x, y, width, height = annotation["bbox"]
            assert 0 <= x <= x + width <= image["width"]
            assert 0 <= y <= y + height <= image["height"]
            assert coco.loadCats(annotation["category_id"])
        PICTURES, BOXES = PICTURES + 1, BOXES + len(annotations)
assert BOXES
print(f"{PICTURES} pictures, {BOXES} boxes")

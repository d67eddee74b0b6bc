"""Read an export as AndroidControl with `tfrecord`, and its forests with the messages of `android_env`."""

import json
import struct
import sys
from pathlib import Path

from android_env.proto.a11y import android_accessibility_forest_pb2
from tfrecord import example_pb2
from tfrecord.reader import tfrecord_iterator

EPISODES = SCREENS = NODES = 0
for path in sorted(Path(sys.argv[1]).glob("android_control-*")):
    for record in tfrecord_iterator(str(path), compression_type="gzip"):
        example = example_pb2.Example()
        example.ParseFromString(bytes(record))
        lists = example.features.feature
        pictures = lists["screenshots"].bytes_list.value
        widths, heights = (lists[f"screenshot_{side}s"].int64_list.value for side in ("width", "height"))
        for picture, *size in zip(pictures, widths, heights, strict=True):
            assert picture.startswith(b"\x89PNG")
            assert list(struct.unpack(">II", picture[16:24])) == size
        actions = [json.loads(action) for action in lists["actions"].bytes_list.value]
        assert len(actions) == len(lists["step_instructions"].bytes_list.value) == len(pictures) - 1
        assert all(action["action_type"] for action in actions)
        assert len(lists["episode_id"].int64_list.value) == len(lists["goal"].bytes_list.value) == 1
        for tree in lists["accessibility_trees"].bytes_list.value:
            forest = android_accessibility_forest_pb2.AndroidAccessibilityForest.FromString(tree)
            for window in forest.windows:
                ids = [node.unique_id for node in window.tree.nodes]
                children = [child for node in window.tree.nodes for child in node.child_ids]
                assert ids == list(range(len(ids)))
                assert sorted(children) == ids[1:]
                NODES += len(ids)
        EPISODES, SCREENS = EPISODES + 1, SCREENS + len(pictures)
assert NODES
print(f"{EPISODES} episodes, {SCREENS} screens, {NODES} nodes")

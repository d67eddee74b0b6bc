"""One room decodes pictures: no other module opens an image, in a file or in bytes, or a video."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("collector", "rule_editor", "studio")
DECODING_NAMES = frozenset({
    "imread", "imreadmulti", "imreadanimation", "imdecode", "imdecodemulti", "imdecodeanimation",
    "VideoCapture", "fromData", "loadFromData", "QImageReader", "QMovie", "QMediaPlayer", "QSvgRenderer",
    "QSvgWidget", "MakeFromEncoded", "DecodeToRaster", "ImageFile", "LOAD_TRUNCATED_IMAGES",
})  # fmt: skip
"""Names that decode an image wherever they stand, of OpenCV, Qt, skia and Pillow."""
LIBRARIES = frozenset({"imageio", "matplotlib", "skimage", "PIL.ImageFile"})
QT_IMAGES = frozenset({"QImage", "QPixmap", "QBitmap", "QIcon"})
"""Given one value, these take it for the name of a file, if it is a text."""
MAY_DECODE = re.compile(
    rf"\b(?:{'|'.join((*DECODING_NAMES, *LIBRARIES, *QT_IMAGES))}|PIL\b|av\.|skia\.Image)"
)
"""Most modules need not be parsed."""
ALLOWED = {
    ("collector/pictures/decoding.py", "ImageFile"): "the reader itself",
    (
        "collector/device/video/frame_decoder.py",
        "CodecContext.create",
    ): "the phone's video, within that limit",
    ("collector/pictures/video_file.py", "av.open"): "videos of an import, of known kinds, within that limit",
    ("collector/virtual/ui/drawing/app_marks.py", "MakeFromEncoded"): "icons of APKs, 1024 px each way",
    ("collector/store/video/mkv.py", "av.open"): "packets of recorded videos are copied, and none is decoded",
    ("studio/app/demo/qt_driver.py", "QImage"): "reads back what the tour painted itself",
    ("studio/theme/icons.py", "QSvgRenderer"): "the icons of the program",
    ("studio/views/guide/page_view.py", "QImage"): "the pictures of the guide",
    ("studio/widgets/moving_picture.py", "QMovie"): "the pictures of the program",
    ("studio/widgets/timeline/lane_layer.py", "QPixmap"): "given a size",
}


def decoders(tree: ast.AST) -> Iterator[str]:
    """What a module uses that opens or decodes an image or a video."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in DECODING_NAMES:
            yield node.attr
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imported(node)
        elif isinstance(node, ast.Call):
            yield from _called(node)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        name = f"{module}.{alias.name}".strip(".")
        if alias.name in DECODING_NAMES:
            yield alias.name
        elif name in LIBRARIES or name.partition(".")[0] in LIBRARIES or name == "PIL.Image.open":
            yield name


def _called(node: ast.Call) -> Iterator[str]:
    words = ast.unparse(node.func).split(".")
    name, owner = words[-1], words[-2] if len(words) > 1 else ""
    if (owner, name) == ("Image", "open"):
        yield "Image.open"
    elif (owner, name) == ("av", "open") and not _writes(node):
        yield "av.open"
    elif (owner, name) == ("CodecContext", "create") and not _writes(node):
        yield "CodecContext.create"
    elif name in QT_IMAGES and len(node.args) == 1:
        yield name
    elif name == "load" and node.args and owner.lower().endswith(("image", "pixmap")):
        yield "load"


def _writes(node: ast.Call) -> bool:
    modes = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    return any(isinstance(mode, ast.Constant) and mode.value == "w" for mode in modes)


def test_no_other_module_opens_or_decodes_a_picture() -> None:
    found: set[tuple[str, str]] = set()
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        if MAY_DECODE.search(text):
            found |= {(name, used) for used in decoders(ast.parse(text))}
    assert found == set(ALLOWED)


@pytest.mark.parametrize(
    "line",
    [
        "Image.open(path)",
        "PIL.Image.open(io.BytesIO(data))",
        "from PIL.Image import open",
        "cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)",
        "from cv2 import imread",
        "QImage.fromData(data)",
        "pixmap.loadFromData(data)",
        "QImage(str(path))",
        "QtGui.QPixmap(name)",
        "QIcon(path)",
        "self._image.load(path)",
        "from PySide6.QtGui import QImageReader",
        "skia.Image.MakeFromEncoded(data)",
        "skia.Image.open(path)",
        "av.open(path)",
        "av.open(path, 'r')",
        "import imageio.v3",
    ],
)
def test_every_way_is_noticed(line: str) -> None:
    assert list(decoders(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        "QImage(raw, 4, 8, 16, QImage.Format.Format_RGB32)",
        "QImage()",
        "QPixmap(4, 8)",
        "Image.fromarray(pixels)",
        "Image.frombytes('RGB', size, data)",
        "cv2.imencode('.png', pixels)",
        "av.open(path, 'w', format='mp4')",
        "json.load(file)",
        "path.open()",
    ],
)
def test_painting_and_encoding_are_free(line: str) -> None:
    assert list(decoders(ast.parse(line))) == []

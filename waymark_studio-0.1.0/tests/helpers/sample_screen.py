"""A sample screen of a shop for tests: image and tree, 1080 x 2400 at density 480."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Size
from collector.model.tree import Tree
from studio.widgets.device_view.view_frame import ViewFrame

SCREEN = Size(1080, 2400)
GOODS = (
    ("Paris street poster", "$9.50"),
    ("Night sea poster", "$11.20"),
    ("Bauhaus shapes poster", "$12.00"),
    ("Retro travel poster, Alps", "$14.90"),
    ("Underground lines poster", "$18.00"),
    ("Botanical print, set of 3", "$24.00"),
)
_PACKAGE = "com.example.shop"


def _node(kind: str, bounds: tuple[int, int, int, int], *inner: str, **values: str) -> str:
    left, top, right, bottom = bounds
    attributes = {
        "text": values.get("text", ""),
        "resource-id": f"{_PACKAGE}:id/{values['id']}" if "id" in values else "",
        "class": kind if "." in kind else f"android.widget.{kind}",
        "package": _PACKAGE,
        "content-desc": values.get("desc", ""),
        "clickable": values.get("clickable", "false"),
        "enabled": "true",
        "scrollable": values.get("scrollable", "false"),
        "selected": "false",
        "password": "false",
        "bounds": f"[{left},{top}][{right},{bottom}]",
    }
    text = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    return f"<node {text}>{''.join(inner)}</node>"


def _item(number: int, name: str, price: str) -> str:
    top = 560 + number * 312
    return _node(
        "ViewGroup",
        (0, top, 1080, top + 312),
        _node("ImageView", (40, top + 30, 292, top + 282), id="thumb"),
        _node("TextView", (342, top + 52, 858, top + 112), id="title", text=name),
        _node("TextView", (342, top + 120, 858, top + 180), id="price", text=price),
        _node("TextView", (342, top + 188, 858, top + 236), id="stock", text="In stock"),
        _node("ImageButton", (890, top + 90, 1020, top + 220), id="like", desc="Like", clickable="true"),
        id="item",
        clickable="true",
    )


def sample_tree() -> Tree:
    """Make a tree of about forty nodes, as a phone dumps it."""
    toolbar = _node(
        "ViewGroup",
        (0, 90, 1080, 260),
        _node("ImageButton", (30, 110, 150, 240), id="back", desc="Back", clickable="true"),
        _node("EditText", (160, 110, 900, 240), id="query", text="poster", clickable="true"),
        _node("ImageButton", (910, 110, 1030, 240), id="cart", desc="Cart", clickable="true"),
        id="toolbar",
    )
    chips = _node(
        "HorizontalScrollView",
        (0, 280, 1080, 420),
        _node("Button", (50, 300, 530, 400), id="chip_sort", text="Price: low to high", clickable="true"),
        _node("Button", (560, 300, 800, 400), id="chip_filter", text="Filter", clickable="true"),
        id="chips",
    )
    count = _node(
        "TextView", (50, 450, 500, 530), id="result_count", text='148 results for "poster" in prints'
    )
    items = "".join(_item(number, *good) for number, good in enumerate(GOODS))
    results = _node(
        "androidx.recyclerview.widget.RecyclerView",
        (0, 560, 1080, 2400),
        items,
        id="results",
        scrollable="true",
    )
    content = _node("LinearLayout", (0, 0, 1080, 2400), toolbar, chips, count, results, id="content")
    root = _node("FrameLayout", (0, 0, 1080, 2400), content)
    return parse_tree(f'<?xml version="1.0"?><hierarchy rotation="0">{root}</hierarchy>')


def sample_image(size: Size = SCREEN, *, shift: int = 0) -> QImage:
    """Paint the screen of :func:`sample_tree` at any size; ``shift`` makes different images."""
    image = QImage(size.width, size.height, QImage.Format.Format_RGB32)
    image.fill(QColor("#F7F9FA"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size.width / SCREEN.width, size.height / SCREEN.height)
    font = QFont("Noto Sans")
    for node in sample_tree():
        if node.bounds is None:
            continue
        rect = QRect(node.bounds.left, node.bounds.top, node.bounds.width, node.bounds.height)
        painter.setPen(Qt.PenStyle.NoPen)
        if node.short_class in ("ImageView", "EditText", "Button"):
            color = QColor.fromHsv((node.order * 47 + shift * 31) % 360, 70, 225)
            painter.setBrush(color)
            painter.drawRoundedRect(rect, 36, 36)
        if node.text:
            font.setPixelSize(44)
            painter.setFont(font)
            painter.setPen(QColor("#191C1E"))
            indent = 30 if node.short_class in ("EditText", "Button") else 0
            painter.drawText(rect.adjusted(indent, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, node.text)
    painter.end()
    return image


def sample_frame(*, secure: bool = False) -> ViewFrame:
    return ViewFrame(sample_image(), SCREEN, secure)

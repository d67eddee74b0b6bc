"""Text of recorded apps and imported files is shown as it is; nothing in it is a tag."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import (
    QApplication,
    QInputDialog,
    QLabel,
    QMessageBox,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from collector.hierarchy.parse import parse_tree
from studio.widgets.node_selection import NodeSelection
from studio.widgets.tree_panel.attributes import AttributeTable
from studio.widgets.tree_panel.panel import TreePanel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
_SOURCES = Path(__file__).parents[3]


@pytest.fixture
def hostile(tmp_path) -> str:
    """A text that loads a picture of a known size when it is taken for HTML."""
    picture = QImage(700, 700, QImage.Format.Format_RGB32)
    picture.fill(0)
    assert picture.save(str(tmp_path / "local.png"))
    return f'<b>Sign in</b><img src="{tmp_path}/local.png">'


def _tip() -> QLabel:
    (tip,) = (
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, QLabel) and widget.metaObject().className() == "QTipLabel" and widget.text()
    )
    return tip


def test_the_tooltip_of_a_recorded_value_is_plain(hosted, hostile):
    escaped = hostile.replace("<", "&lt;").replace('"', "&quot;")
    tree = parse_tree(
        f'<hierarchy rotation="0"><node text="{escaped}" class="a.B" bounds="[0,0][9,9]" /></hierarchy>'
    )
    selection = NodeSelection()
    selection.set_tree(tree)
    panel = hosted(TreePanel(selection), 400, 900)
    selection.select(tree.nodes[0])
    QApplication.processEvents()
    table = panel.findChild(AttributeTable)
    row = next(row for row in range(table.model().rowCount()) if table.model().index(row, 0).data() == "text")
    at = table.visualRect(table.model().index(row, 1)).center()
    viewport = table.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, at, viewport.mapToGlobal(at)))
    tip = _tip()
    assert "".join(tip.text().split()) == "".join(hostile.split()), "long texts are broken into lines"
    assert tip.textFormat() == Qt.TextFormat.PlainText
    assert max(tip.width(), tip.height()) < 700, "the picture was loaded"
    QToolTip.showText(QPoint(5, 5), "<i>another</i>")
    assert _tip().textFormat() == Qt.TextFormat.PlainText
    QToolTip.hideText()


@pytest.mark.fault("F27")
def test_labels_and_dialogs_are_plain(hosted, hostile):
    host = QWidget()
    layout = QVBoxLayout(host)
    layout.addWidget(QLabel(hostile))
    hosted(host, 600, 300)
    box = QMessageBox(host)
    box.setText(hostile)
    box.setInformativeText(hostile)
    box.open()
    dialog = QInputDialog(host)
    dialog.setLabelText(hostile)
    dialog.open()
    labels = [label for parent in (host, box, dialog) for label in parent.findChildren(QLabel)]
    assert sum(label.text() == hostile for label in labels) >= 4
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    box.close()
    dialog.close()


@pytest.mark.fault("F27")
def test_no_code_asks_for_rich_text():
    """Whoever needs it here must escape what comes from outside, and name the place in this test."""
    rich = re.compile(
        r"TextFormat\.(?:Rich|Markdown|Auto)Text|\.(?:setHtml|insertHtml|appendHtml|setMarkdown)\("
    )
    found = [
        f"{path.relative_to(_SOURCES)}: {line.strip()}"
        for folder in ("studio", "rule_editor")
        for path in sorted((_SOURCES / folder).rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if rich.search(line) and path.name != "plain_text_style.py"
    ]
    # The pages of the guide are the program's own: nothing in them comes from outside.
    assert found == ["studio/views/guide/page_view.py: document.setMarkdown(self._page.text)"]

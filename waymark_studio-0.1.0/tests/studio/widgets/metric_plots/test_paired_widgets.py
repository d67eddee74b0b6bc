"""The rows of a paired comparison, and the four boxes of its pairs."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from studio.widgets.metric_plots.dumbbell_view import ROW, DumbbellRow, DumbbellView
from studio.widgets.metric_plots.pair_boxes import PairBoxes


def _rows(count):
    return [DumbbellRow(f"row {n}", n, 80.0, 40.0, "−40.0", f"tip {n}") for n in range(count)]


def _row_image(view, row):
    view.show_rows([row])
    image = QImage(view.plot_size(), QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    view.paint_plot(painter)
    painter.end()
    return image


def test_ten_thousand_rows_are_walked_and_the_current_one_stays(hosted):
    view = hosted(DumbbellView("Pairs"), 500, 200)
    chosen, opened = [], []
    view.chosen.connect(chosen.append)
    view.opened.connect(opened.append)
    view.show_rows(_rows(10_000))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_Home,
                Qt.Key.Key_PageDown):  # fmt: skip
        QTest.keyClick(view, key)
    assert chosen == [0, 1, 9999, 9998, 0, 5]
    assert view.viewport().rect().contains(view.row_rect(5))
    assert view.accessibleDescription() == "tip 5"
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.row_rect(5).center())
    assert opened == [5, 5]
    view.show_rows(_rows(10_000)[3:])
    assert view.rows[view.current].title == "row 5"
    view.show_rows(_rows(2))
    assert view.current == -1
    view.show_rows([])
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.current == -1


def test_rates_lie_in_their_order_and_equal_ones_both_show(hosted, dressed):
    view = hosted(DumbbellView("Pairs"), 500, 200)
    accent, ring = dressed.color("accent").name(), dressed.color("text").name()

    def places(image, name):
        place = view.track_rect(view.row_rect(0))
        track = range(place.left() - 8, place.right() + 9)
        return [x for x in track for y in range(ROW) if image.pixelColor(x, y).name() == name]

    apart = _row_image(view, DumbbellRow("a", 5, 80.0, 40.0, "−40.0"))
    assert min(places(apart, accent)) < min(places(apart, ring))
    grown = _row_image(view, DumbbellRow("a", 5, 40.0, 80.0, "40.0"))
    assert max(places(grown, accent)) > max(places(grown, ring))
    equal = _row_image(view, DumbbellRow("a", 5, 60.0, 60.0, "0.0"))
    assert places(equal, accent)
    assert places(equal, ring)
    lone = _row_image(view, DumbbellRow("a", 0, None, 40.0, "–"))
    assert not places(lone, ring)
    assert view.plot_size().height() == ROW


def test_a_box_without_pairs_cannot_be_pressed(hosted):
    boxes = hosted(PairBoxes(), 500, 60)
    pressed = []
    boxes.chosen.connect(pressed.append)
    boxes.show_counts([(96, "both succeed"), (52, "only baseline"), (0, "only interrupted"), (62, "neither")])
    for box in boxes.boxes:
        QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    assert pressed == [0, 1, 3]
    boxes.boxes[1].setFocus()
    QTest.keyClick(boxes.boxes[1], Qt.Key.Key_Space)
    assert pressed == [0, 1, 3, 1]
    assert [box.isChecked() for box in boxes.boxes] == [False, True, False, False]
    boxes.set_current(-1)
    assert not any(box.isChecked() for box in boxes.boxes)

"""What a legend tells apart can be told apart in grey: by shape, pattern or height, not by colour alone."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QImage, QPainter

from collector.model.geometry import Rect
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED, UNDECIDED
from collector.run.progress import ANSWERED
from rule_editor.widgets.matrix.explanation_panel import OUTCOME_LOOKS
from rule_editor.widgets.rule_list import STATE_ICONS, RuleState
from rule_editor.widgets.yaml_view.line_annotations import ICONS
from studio.theme import theme
from studio.views.rules.rehearsal.outcome_appearance import APPEARANCE
from studio.views.solvability.result_table import RESULT_APPEARANCE
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.device_view.highlight import HighlightStyle, TraceMark
from studio.widgets.device_view.highlight_painter import draw_box
from studio.widgets.device_view.trace_painter import draw_mark
from studio.widgets.metric_plots import mark_shapes
from studio.widgets.operator_comparison.rows import KIND_ICONS
from studio.widgets.result_grid import cell_look
from studio.widgets.state_audit.rows import ANSWER_ICONS, DECISION_ICONS
from studio.widgets.timeline import lane_painter

_SIDE, _SEEN, _PIXELS = 40, 25, 10
"""Of a picture; of a difference of grey that is seen; of shapes that differ."""
BOTH = (RuleState.ERROR, RuleState.BROKEN)
"""They look alike in colour, too: both are errors, and words say which."""
ICON_TABLES = {
    "verdicts": {name: verdict_icon(name) for name in (SUCCESS, FAILURE, UNCOMPLETED, UNDECIDED)},
    "solvability": {name: look[0] for name, look in RESULT_APPEARANCE.items()},
    "rehearsals": {name: look[0] for name, look in APPEARANCE.items()},
    "back-tests": {name: look[0] for name, look in OUTCOME_LOOKS.items()},
    "rules": {name: icon for name, icon in STATE_ICONS.items() if name is not BOTH[1]},
    "lines": ICONS,
    "answers": ANSWER_ICONS,
    "decisions": DECISION_ICONS,
    "operators": KIND_ICONS,
}


def shape(paint, ground=None) -> np.ndarray:
    """Which pixels of a picture stand out from its ground, in grey."""
    image = QImage(_SIDE, _SIDE, QImage.Format.Format_RGB32)
    image.fill(theme.color("bg-1") if ground is None else ground)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return standing_out(image)


def standing_out(image: QImage) -> np.ndarray:
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), -1)[:, : grey.width()]
    ground = int(np.bincount(rows.ravel()).argmax())
    return np.abs(rows.astype(int) - ground) > _SEEN


def alike(shapes: dict[object, np.ndarray]) -> list[str]:
    """The pairs that nobody tells apart without colours."""
    return [
        f"{one} and {other}"
        for (one, first), (other, second) in combinations(shapes.items(), 2)
        if int((first ^ second).sum()) < _PIXELS
    ]


@pytest.mark.parametrize("legend", ICON_TABLES)
def test_icons_of_a_legend_differ_in_shape(dressed, legend):
    def drawn(icon):
        return shape(
            lambda painter: icon and dressed.draw_icon_in(painter, icon, QRect(8, 8, 16, 16), 16, "text")
        )

    assert alike({name: drawn(icon) for name, icon in ICON_TABLES[legend].items()}) == []


def test_marks_on_a_screen_differ_in_pattern_and_traces_in_shape(dressed):
    differences = (HighlightStyle.ADDED, HighlightStyle.CHANGED, HighlightStyle.REMOVED, HighlightStyle.MOVED)
    boxes = {
        style: shape(
            lambda painter, look=style.look: draw_box(painter, Rect(6, 6, 34, 34), look, 1.0, black=False),
            ground=Qt.GlobalColor.white,
        )
        for style in differences
    }
    traces = {
        mark: shape(lambda painter, mark=mark: draw_mark(painter, QPointF(20, 20), mark))
        for mark in TraceMark
    }
    assert alike(boxes) == []
    assert alike(traces) == []


def test_series_of_a_plot_differ_in_shape_or_fill(dressed):
    looks = dict(enumerate(mark_shapes.LOOKS))
    drawn = {
        number: shape(lambda painter, look=look: mark_shapes.draw_mark(painter, QPointF(20, 20), look, 20))
        for number, look in looks.items()
    }
    assert alike(drawn) == []


def test_results_of_episodes_differ_in_shape(dressed):
    drawn = {
        status: shape(
            lambda painter, status=status: cell_look.draw_cell(painter, QRect(7, 11, 26, 18), status)
        )
        for status in cell_look.LOOKS
        if status != ANSWERED  # an experiment has either answers or outcomes
    }
    assert alike(drawn) == []


def test_blocks_of_a_lane_are_the_higher_the_graver_they_are(dressed):
    grid = SimpleNamespace(x=lambda slot: 4 + 20 * slot)
    heights = []
    for tone in ("ok", "warn", "err"):
        code = lane_painter.TONES.index(tone)
        block = shape(
            lambda painter, code=code: lane_painter.paint_tones(
                painter, grid, bytes([code]), range(1), QRect(0, 4, 0, 20)
            )
        )
        heights.append(int(block.any(axis=1).sum()))
    assert heights == sorted(set(heights))

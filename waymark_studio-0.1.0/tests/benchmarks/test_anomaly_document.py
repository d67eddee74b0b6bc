"""Budget of a letter in the studio's own library of 2,000 lines: read, checked and shown within 16 ms."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from collector.anomalies.builtin_library import builtin_library_text
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.widgets.yaml_view.editor import YamlEditor
from studio.theme import theme
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT

READ_BUDGET_S, SHOWN_BUDGET_S, BROKEN_BUDGET_S = 0.008, 0.008, 0.030
_FIRST, _LAST = "id: battery", "id: font_scale"


@pytest.fixture
def document() -> AnomalyDocument:
    return AnomalyDocument(builtin_library_text())


def _type(document: AnomalyDocument, after: str) -> None:
    at = document.text.index(after) + len(after)
    document.replace(at, at, "x")
    assert document.library.anomalies
    assert document.diagnostics is not None


@pytest.mark.parametrize("after", [_FIRST, _LAST], ids=["near the start", "near the end"])
def test_a_letter_is_read(benchmark: BenchmarkFixture, document: AnomalyDocument, after: str, within) -> None:
    benchmark.group = "one letter in a library of 2,000 lines"
    benchmark.pedantic(_type, (document, after), rounds=20, warmup_rounds=2)
    assert all(entry.parsed is not None for entry in document.parsed.entries)
    within(READ_BUDGET_S)


def test_a_letter_is_shown(
    benchmark: BenchmarkFixture, document: AnomalyDocument, qtbot, qapp, within
) -> None:
    theme.install(qapp, "dark", motion=False)
    editor = YamlEditor(STUDIO_TOOLKIT)
    qtbot.addWidget(editor)
    editor.resize(700, 900)
    editor.set_text(document.text)
    editor.show()

    def show() -> None:
        _type(document, _LAST)
        editor.set_text(document.text)
        editor.set_diagnostics(document.diagnostics)

    benchmark.group = "one letter in a library of 2,000 lines"
    benchmark.pedantic(show, rounds=20, warmup_rounds=2)
    within(READ_BUDGET_S + SHOWN_BUDGET_S)


@pytest.mark.parametrize("entry", [_FIRST, _LAST], ids=["near the start", "near the end"])
@pytest.mark.parametrize("slip", ['"', "[", "{", "*x "])
def test_a_letter_in_a_broken_library(
    benchmark: BenchmarkFixture, document: AnomalyDocument, slip: str, entry: str, within
) -> None:
    """Whether a quote left open is closed further down, what follows it has to tell."""
    benchmark.group = "one letter in a library of 2,000 lines, broken"
    at = document.text.index(entry) + len("id: ")
    document.replace(at, at, slip)
    benchmark.pedantic(_type, (document, entry[4:]), rounds=20, warmup_rounds=2)
    assert not document.parsed.is_whole
    within(BROKEN_BUDGET_S)

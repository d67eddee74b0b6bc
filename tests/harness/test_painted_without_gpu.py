"""The window is painted by the processor alone: a GPU that is lost or not there changes nothing."""

from __future__ import annotations

import re

import pytest

from tests.helpers.scripts import ROOT

_GPU = re.compile(
    r"\bQt(OpenGL\w*|Quick\w*|WebEngine\w*|3D\w*|Multimedia\w*)\b|QOpenGL|QRhi|QVulkan|useOpenGL=True"
)


@pytest.mark.fault("F33")
def test_no_code_of_the_product_asks_for_a_gpu():
    files = [path for room in ("studio", "rule_editor", "collector") for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 1000
    assert [str(path) for path in files if _GPU.search(path.read_text("utf-8"))] == []

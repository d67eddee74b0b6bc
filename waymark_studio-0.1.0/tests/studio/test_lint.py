"""Only the tokens hold colours: no widget has a colour literal or a style sheet."""

from __future__ import annotations

import re
from pathlib import Path

import studio

ROOT = Path(studio.__file__).parent
FILES = [path for path in ROOT.rglob("*.py") if "theme" not in path.relative_to(ROOT).parts]
# Black is the screen of a phone without image.
LITERAL = re.compile(
    r"""["']#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})["']"""
    r"""|QColor\(\s*["'\d]|GlobalColor\.(?!transparent|black)|setStyleSheet|processEvents"""
)


def test_no_colour_and_no_style_sheet_outside_the_theme():
    found = {
        str(path.relative_to(ROOT)): match[0]
        for path in FILES
        if (match := LITERAL.search(path.read_text(encoding="utf-8")))
    }
    assert found == {}

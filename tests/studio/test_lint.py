"""Only the tokens hold colours: no widget has one or a style sheet. What opens for a moment ends then."""

from __future__ import annotations

import ast
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


def test_what_ends_a_job_and_what_a_signal_is_connected_to_is_a_method():
    """Qt forgets a method with its object; a lambda is called still, and finds the object deleted.

    A partial of a signal has the object alive that sends it; a job outlives the dialog that began it.
    """
    wrong = re.compile(r"connect\(lambda|\b(?:success|failure)=(?:lambda[^:]*: self|partial\(self)")
    packages = (ROOT, ROOT.parent / "rule_editor")
    found = [
        str(path.relative_to(ROOT.parent))
        for package in packages
        for path in package.rglob("*.py")
        if wrong.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


_FOR_A_MOMENT = ("QFileDialog", "QInputDialog", "QMenu", "QMessageBox")
"""Of these a menu is a PopupMenu, which ends by itself and is not disabled with what opened it."""


def test_a_dialog_or_menu_that_is_made_when_it_opens_ends_when_it_closes():
    """Its parent keeps it otherwise, as long as the window is open: 250 KB of each *About*."""
    kept = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if not any(f"{name}(" in text for name in _FOR_A_MOMENT):
            continue
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, ast.FunctionDef):
                continue
            code = ast.unparse(function)
            makes = re.search(rf"\b(?:{'|'.join(_FOR_A_MOMENT)})\(", code)
            ends = re.search(
                r"WA_DeleteOnClose|\.deleteLater|^    return (?:menu|dialog)$", code, re.MULTILINE
            )
            if makes and (not ends or makes[0] == "QMenu("):
                kept.append(f"{path.relative_to(ROOT)}: {function.name}")
    assert kept == ["app/main_window/window_actions.py: fill"], "the menus of the menu bar stay"

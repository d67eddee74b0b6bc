"""Only the tokens hold colours: no widget has one or a style sheet. What opens for a moment ends then."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import studio

ROOT = Path(studio.__file__).parent
FILES = [path for path in ROOT.rglob("*.py") if "theme" not in path.relative_to(ROOT).parts]
BOTH = sorted((*ROOT.rglob("*.py"), *(ROOT.parent / "rule_editor").rglob("*.py")))
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


def test_what_a_signal_is_connected_to_is_no_lambda():
    """Qt forgets a method with its object; a lambda is called still, and finds the object deleted."""
    found = [
        str(path.relative_to(ROOT.parent))
        for path in BOTH
        if re.search(r"connect\(lambda", path.read_text(encoding="utf-8"))
    ]
    assert found == []


class Function:
    """A function of a module or a method, with what is inside it."""

    def __init__(self, path, code):
        self.path, self.name = path, code.name
        inside = list(ast.walk(code))[1:]
        self.parameters = [
            each.arg for each in (*code.args.args, *code.args.kwonlyargs) if each.arg != "self"
        ]
        self.positional = [each.arg for each in code.args.args if each.arg != "self"]
        self.optional = len(code.args.defaults)
        self.calls = [each for each in inside if isinstance(each, ast.Call)]
        self.inner = {each.name: each for each in inside if isinstance(each, ast.FunctionDef)}
        self.made = {
            each.targets[0].id: each
            for each in inside
            if isinstance(each, ast.Assign)
            and isinstance(each.value, ast.Call)
            and isinstance(each.targets[0], ast.Name)
        }
        """Variable -> where a call makes what it is."""
        self.dialogs = {
            name: made
            for name, made in self.made.items()
            if ast.unparse(made.value.func).endswith(("Dialog", "Menu", "Popup"))
        }

    def __str__(self):
        return str(self.path.relative_to(ROOT.parent))


@pytest.fixture(scope="module")
def functions():
    return [
        Function(path, each)
        for path in BOTH
        for holder in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(holder, ast.Module | ast.ClassDef)
        for each in holder.body
        if isinstance(each, ast.FunctionDef)
    ]


_ANSWERS = ("success", "failure", "deliver", "use", "refused", "reopened", "done")
"""The parameters of the bridge for what is called when a job ended."""
_ENDS = ("succeeded", "failed", "stopped", "progressed")
"""The signals of a job, which outlives the dialog that began it."""


def test_an_answer_ends_with_what_it_is_for(functions):
    """A method does, and what goes through while_alive; any other function finds a closed dialog deleted."""
    places = _places_of_answers(functions)
    found = [
        f"{function}:{call.lineno}: {ast.unparse(call.func)}"
        for function in functions
        for call in function.calls
        if any(_is_closure(value, function) for value in _answers_of(call, places))
    ]
    assert found == [], "use while_alive of studio.bridge.while_alive"


def test_who_waits_for_a_job_calls_back_only_whom_is_there(functions):
    """Qt knows of the function that waits, and not of the caller's method in it."""
    found = [
        f"{function}:{call.lineno}: {call.func.id}"
        for function in functions
        if "bridge" in function.path.parts
        for inner in function.inner.values()
        for call in ast.walk(inner)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in _ANSWERS and call.func.id in function.parameters
    ]
    assert found == [], "use call_back of studio.bridge.while_alive"


def test_a_function_that_touches_a_dialog_ends_with_that_dialog(functions):
    """Not with the controller that opened it; what the dialog itself calls needs nothing."""
    found = [
        f"{function}:{call.lineno}: {ast.unparse(call.func)}"
        for function in functions
        for name, made in function.dialogs.items()
        for call in function.calls
        if not _ends_with(call, name, function)
        if any(
            _is_closure(each, function) and _touches(each, name, made, function.inner) for each in call.args
        )
    ]
    assert found == [], "use while_alive(dialog, ...)"


def test_a_moment_later_is_for_an_object(functions):
    """Without its receiver a single shot calls a method of an object that is deleted."""
    found = [
        f"{function}:{call.lineno}"
        for function in functions
        for call in function.calls
        if getattr(call.func, "attr", "") == "singleShot" and len(call.args) < 3
    ]
    assert found == []


def _places_of_answers(functions):
    """Function of the bridge and how many arguments it gets -> which of them are called when a job ended."""
    places = {}
    for function in functions:
        if "bridge" not in function.path.parts:
            continue
        names = function.positional
        answers = {i for i, name in enumerate(names) if name in _ANSWERS}
        for count in range(len(names) - function.optional, len(names) + 1):
            places.setdefault((function.name, count), set()).update(answers)
    return places


def _answers_of(call, places):
    function = call.func
    yield from (word.value for word in call.keywords if word.arg in _ANSWERS)
    if not isinstance(function, ast.Attribute):
        return
    if function.attr == "connect" and getattr(function.value, "attr", "") in _ENDS:
        yield from call.args
    # A method of its own hands on what the class itself wraps.
    elif not (function.attr.startswith("_") and getattr(function.value, "id", "") == "self"):
        answers = places.get((function.attr, len(call.args)), ())
        yield from (value for i, value in enumerate(call.args) if i in answers)


def _is_closure(value, function):
    is_partial = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "partial"
    return is_partial or isinstance(value, ast.Lambda) or getattr(value, "id", "") in function.inner


def _touches(value, name, made, inner):
    """Whether a function or a partial touches a dialog that it does not make itself."""
    value = inner.get(getattr(value, "id", ""), value)
    parts = list(ast.walk(value))
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    others = [inner[each] for each in names & set(inner) if inner[each] is not value]
    return made not in parts and (name in names or any(_touches(each, name, made, {}) for each in others))


def _ends_with(call, name, function):
    """Whether the dialog calls it, or an object that the dialog owns, or it goes through while_alive."""
    words = ast.unparse(call.func)
    if words == "partial":  # it matters who gets the partial
        return True
    if words == "while_alive":
        return ast.unparse(call.args[0]) == name
    owned = {each for each, made in function.made.items() if name in map(ast.unparse, made.value.args)}
    return words.split(".")[0] in {name, *owned}


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

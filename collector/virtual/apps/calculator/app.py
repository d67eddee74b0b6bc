"""The calculator: a formula, its result as it is typed, and the keys, with the ids of AOSP's calculator."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collector.virtual.apps.calculator.arithmetic import NoResultError, result_of
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, AppIcon, Context
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.effects import Change, CopyText, ShowToast
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS

_LONGEST = 120
_OPERATORS = "+-×÷^"
_KEYS = (
    ("C", "clr"), ("(", "lparen"), (")", "rparen"), ("÷", "op_div"),
    ("7", "digit_7"), ("8", "digit_8"), ("9", "digit_9"), ("×", "op_mul"),
    ("4", "digit_4"), ("5", "digit_5"), ("6", "digit_6"), ("-", "op_sub"),
    ("1", "digit_1"), ("2", "digit_2"), ("3", "digit_3"), ("+", "op_add"),
    ("0", "digit_0"), (".", "dec_point"), ("⌫", "del"), ("=", "eq"),
)  # fmt: skip
"""Each key with its id."""
_MORE = (("√", "op_sqrt"), ("^", "op_pow"), ("%", "op_pct"))
_SPOKEN = {"⌫": "erase", "C": "clear", "=": "equals", "√": "root", "^": "power"}


@dataclass(frozen=True, slots=True)
class CalculatorState:
    """The formula as it is typed."""

    locale: str = "en-US"
    formula: str = ""
    solved: bool = False
    """Whether the formula is the result of one before: a digit then begins anew."""
    failed: bool = False
    """Whether it has no result, though it was asked for."""


class CalculatorApp(SystemApp[CalculatorState]):
    """A calculator."""

    name = "calculator"
    package = "com.android.calculator2"
    icon = AppIcon("calculator", "#38656A")
    theme = SETTINGS
    activities = (Activity(".Calculator", launcher=True),)
    state_type = CalculatorState

    def initial(self, seed: int, locale: str) -> CalculatorState:
        return CalculatorState(locale)

    def view(self, state: CalculatorState, context: Context) -> w.Screen:
        say = texts_of(self.name, context.locale)
        low = context.landscape
        size = 30 if low else 46 if len(state.formula) < 12 else 30
        shown = w.Text(
            text=state.formula, size=size, align="end", color="error" if state.failed else "text",
            id="formula", max_lines=2, on_long_press=Event("copy"),
        )  # fmt: skip
        result = w.Text(
            text=say("error") if state.failed else _preview(state), size=20 if low else 28, align="end",
            color="error" if state.failed else "text_2", id="result",
        )  # fmt: skip
        display = w.Column((w.Spacer(grow=1), shown, result), gap=6, padding=(24, 12), grow=1, id="display")
        height = 36.0 if low else 64.0
        more = w.Row(tuple(_key(*key, say, 34 if low else 44) for key in _MORE), gap=10, mirrors=False)
        rows = tuple(
            w.Row(tuple(_key(*key, say, height) for key in _KEYS[at : at + 4]), gap=10, mirrors=False)
            for at in range(0, len(_KEYS), 4)
        )
        pad = w.Column((more, *rows), gap=6 if low else 10, padding=(16, 4, 16, 16), id="pad_numeric")
        return w.Screen(w.Column((display, pad), grow=1))

    def update(self, state: CalculatorState, event: Event) -> CalculatorState | Change[CalculatorState]:
        if event.name == "copy":
            told = ShowToast(texts_of(self.name, state.locale)("copied"))
            return Change(state, (CopyText(state.formula), told)) if state.formula else state
        return _pressed(state, str(event.key)) if event.name == "press" else state


def _preview(state: CalculatorState) -> str:
    """The result so far, where there is something to compute."""
    if state.solved or not any(letter in f"{_OPERATORS}%√" for letter in state.formula[1:]):
        return ""
    try:
        return result_of(state.formula)
    except NoResultError:
        return ""


def _pressed(state: CalculatorState, key: str) -> CalculatorState:
    if key == "C":
        return replace(state, formula="", solved=False, failed=False)
    if key == "⌫":
        return replace(state, formula=state.formula[:-1], solved=False, failed=False)
    if key == "=":
        return _solved(state)
    formula = "" if state.solved and key[0] in "0123456789.√(" else state.formula
    if key in _OPERATORS and formula[-1:] in tuple(_OPERATORS) and key != "-":
        formula = formula.rstrip(_OPERATORS)
    if (key in "+×÷^%)" and not formula) or len(formula) >= _LONGEST:
        return state
    return replace(state, formula=formula + key, solved=False, failed=False)


def _solved(state: CalculatorState) -> CalculatorState:
    if not state.formula:
        return state
    try:
        return replace(state, formula=result_of(state.formula), solved=True, failed=False)
    except NoResultError:
        return replace(state, failed=True)


def _key(key: str, name: str, say: AppTexts, height: float) -> w.Widget:
    is_digit = key[0] in "0123456789."
    background = "surface_container" if is_digit else "container"
    if key == "=":
        background = "primary"
    word = _SPOKEN.get(key)
    return w.Row(
        (w.Text(text=key, size=24, color="on_primary" if key == "=" else "text", class_name="-"),),
        height=height,
        grow=1,
        radius=height / 2,
        background=background,
        arrange="center",
        id=name,
        key=name,
        description=say(word) if word else key,
        class_name="android.widget.Button",
        on_tap=Event("press", key),
    )

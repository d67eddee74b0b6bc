"""How the phone looks: its rotation, dark mode, text size and the language of an app."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from collector.anomalies.journal import UndoCheck
from collector.device.device_info import read_display
from collector.device.errors import CallCancelled, DeviceError
from collector.device.video.screencap_source import take_screenshot
from collector.device_check.result_names import ability_name
from collector.device_check.settings_app import open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _

_TURNS_S = 5.0
_SHOWN_S = 4.0
_LANGUAGE = "ja-JP"
_DARK_SDK, _LANGUAGE_SDK = 29, 33


class AppearanceStep(CheckStep):
    """Turns the screen, makes it dark, enlarges its texts and changes the language of the settings."""

    id = "appearance"
    limit_s = 45.0

    @property
    def title(self) -> str:
        return _("Rotation, dark mode, text size, language")

    @property
    def question(self) -> str:
        return _("May the screen turn, become dark, and change its text size and language for some seconds?")

    def run(self, run: CheckStepRun) -> None:
        package = open_settings_app(run)
        attempts: tuple[tuple[str, int, Callable[[], str]], ...] = (
            ("appearance.rotation", 0, lambda: _turns(run)),
            ("appearance.dark", _DARK_SDK, lambda: _darkens(run)),
            ("appearance.font", 0, lambda: _enlarges(run)),
            ("appearance.language", _LANGUAGE_SDK, lambda: _speaks(run, package)),
        )
        fitting = [(ability, attempt) for ability, sdk, attempt in attempts if run.info.sdk >= sdk]
        for ability, attempt in fitting:
            run.progress(ability_name(ability))
            try:
                why = attempt()
            except CallCancelled:
                raise
            except DeviceError as error:
                why = str(error)
            if why:
                run.lacks(ability, why)
            else:
                run.works(ability)


def _turns(run: CheckStepRun) -> str:
    """Why the screen does not turn; empty when it does, in both directions."""
    run.changes.put(_("automatic rotation"), "system", "accelerometer_rotation", "0")
    for quarter in (1, 0):
        run.changes.put(_("the rotation of the screen"), "system", "user_rotation", str(quarter))
        if not run.wait_until(partial(_is_turned, run, quarter), _TURNS_S):
            return _("The screen does not turn by its setting: an app or the maker keeps its way")
    return ""


def _is_turned(run: CheckStepRun, quarter: int) -> bool:
    return read_display(run.device).rotation == quarter


def _darkens(run: CheckStepRun) -> str:
    said = run.device.shell("cmd uimode night").text
    before = said.partition(":")[2].strip()
    if before not in ("yes", "no", "auto"):
        return _("The phone does not say whether it is dark")
    light, wanted = _brightness(run), "no" if before == "yes" else "yes"
    lasts = UndoCheck("cmd uimode night", f"Night mode: {wanted}")
    run.changes.plan(_("dark mode"), f"cmd uimode night {before}", lasts=lasts)
    run.device.shell(["cmd", "uimode", "night", wanted])
    if wanted not in run.device.shell("cmd uimode night").text.partition(":")[2]:
        return _("The phone takes the command for dark mode, and stays as it is")

    def is_other() -> bool:
        return (_brightness(run) < light) == (wanted == "yes")

    return (
        ""
        if run.wait_until(is_other, _SHOWN_S)
        else _("Dark mode does not change the picture of the settings")
    )


def _brightness(run: CheckStepRun) -> float:
    return float(take_screenshot(run.device, run.cancel).grid().mean())


def _enlarges(run: CheckStepRun) -> str:
    run.changes.put(_("the size of texts"), "system", "font_scale", "1.3")
    kept = run.device.shell("settings get system font_scale").text.strip()
    return "" if kept == "1.3" else _("The size of texts does not stay as it is set")


def _speaks(run: CheckStepRun, package: str) -> str:
    reads = f"cmd locale get-app-locales {package}"
    before = run.device.shell(reads).text.partition("[")[2].partition("]")[0]
    sets = f"cmd locale set-app-locales {package} --locales"
    lasts = UndoCheck(reads, _LANGUAGE)
    run.changes.plan(_("the language of the settings"), f"{sets} '{before}'", lasts=lasts)
    run.device.shell(f"{sets} {_LANGUAGE}")
    return "" if _LANGUAGE in run.device.shell(reads).text else _("The language of an app does not change")

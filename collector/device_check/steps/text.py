"""Texts typed into the search of the settings: by each keyboard, in Latin, Chinese and emoji."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from collector.adb.keys import CODES
from collector.adb.quoting import join
from collector.anomalies.journal import UndoCheck
from collector.device.errors import CallCancelled, DeviceError
from collector.device.input.input_sinks import ScrcpyInput, ShellInput
from collector.device.input.unattended_input import ControlOnlyScrcpy
from collector.device.protocols import InputSink, TreeSource
from collector.device.trees.uiautomator2_source import Uiautomator2Source, is_installed
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device_check.changes import other_than
from collector.device_check.clipboard import kept_clipboard
from collector.device_check.settings_app import open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun, StepSkipped
from collector.device_check.steps.trees import plan_uiautomator2
from collector.device_check.watched_video import plan_scrcpy, scrcpy_jars
from collector.model.geometry import Position
from collector.model.i18n import N_, _
from collector.model.phone.touch import TouchAction
from collector.model.tree import Node, Tree

_TEXTS = {
    "latin": ("Waymark 7", N_("Latin")),
    "chinese": ("路标手机", N_("Chinese")),
    "emoji": ("🧭😀", N_("emoji")),
}
_MOST_KEYBOARDS = 3
_FIELD_S, _TYPED_S = 6.0, 3.0
_SEARCH = re.compile(r"search|搜索|查找|suche|buscar|recherch|cerca|検索|검색", re.IGNORECASE)
_KEYBOARD = re.compile(r"[\w.]+/[\w.$]+")
_DELETES = 12


class TextStep(CheckStep):
    """Types with every keyboard that is switched on; a keyboard is put back as it was."""

    id = "text"
    limit_s = 60.0

    @property
    def title(self) -> str:
        return _("Texts by each keyboard")

    @property
    def question(self) -> str:
        return _("May texts be typed into the search of the phone's settings, with each of its keyboards?")

    def run(self, run: CheckStepRun) -> None:
        plan_scrcpy(run)
        open_settings_app(run)
        before = run.device.shell("settings get secure default_input_method").text.strip()
        keyboards = list(dict.fromkeys([before, *run.device.shell("ime list -s").text.split()]))
        keyboards = [name for name in keyboards if _KEYBOARD.fullmatch(name)][:_MOST_KEYBOARDS]
        run.measure("keyboards", len(keyboards))
        if len(keyboards) > 1:
            lasts = UndoCheck("settings get secure default_input_method", other_than(before))
            run.changes.plan(_("the keyboard"), join(["ime", "set", before]), lasts=lasts)
        with contextlib.closing(_trees(run)) as source, _typing(run) as sink:
            _open_field(run, source)
            run.measure("text_way", sink.name)
            for number, keyboard in enumerate(keyboards):
                if len(keyboards) > 1:
                    run.device.shell(["ime", "set", keyboard])
                for kind, (text, shown) in _TEXTS.items():
                    run.progress(_("Keyboard {number}, {kind}", number=number + 1, kind=_(shown)))
                    _try(run, sink, source, f"text.{kind}.{number + 1}", text, _(shown))


def _trees(run: CheckStepRun) -> TreeSource:
    """The dump, which leaves nothing behind, unless the step before found that it does not work."""
    if is_installed() and "uiautomator.error" in run.observed:
        plan_uiautomator2(run)
        return Uiautomator2Source(run.device)
    return UiautomatorSource(run.device)


@contextlib.contextmanager
def _typing(run: CheckStepRun) -> Iterator[InputSink]:
    """The best way to type, with the person's clipboard kept meanwhile."""
    with contextlib.ExitStack() as cleanup:
        yield _sink(run, cleanup)


def _sink(run: CheckStepRun, cleanup: contextlib.ExitStack) -> InputSink:
    for jar in scrcpy_jars(run):
        with contextlib.suppress(DeviceError):
            control = ControlOnlyScrcpy(run.device, jar)
            _observe_server(run, control, cleanup)
            cleanup.enter_context(contextlib.closing(control))
            control.start()
            cleanup.enter_context(kept_clipboard(run, control))
            return cleanup.enter_context(contextlib.closing(ScrcpyInput(control)))
    return ShellInput(run.device)


def _observe_server(run: CheckStepRun, control: ControlOnlyScrcpy, cleanup: contextlib.ExitStack) -> None:
    """Keep what the server prints until it is closed."""
    lines: list[str] = []
    cleanup.callback(lambda: run.observe("text.scrcpy", "\n".join(lines)))
    cleanup.callback(control.server_lines.subscribe(lines.append))


def _open_field(run: CheckStepRun, source: TreeSource) -> None:
    """Tap what opens the search, and then its field. Raises StepSkipped when there is none."""
    opener = _search(_tree(run, source))
    if opener is not None:
        _tap(run, opener)

    def is_there() -> bool:
        field = _field(_tree(run, source))
        if field is not None and not field.flag("focused"):
            _tap(run, field)
        return field is not None and field.flag("focused")

    if not run.wait_until(is_there, _FIELD_S):
        raise StepSkipped(_("The settings of this phone have no search to type into"))


def _try(run: CheckStepRun, sink: InputSink, source: TreeSource, ability: str, text: str, shown: str) -> None:
    _empty(run)
    try:
        sink.text(text)
        if run.wait_until(lambda: _typed(run, source) == text, _TYPED_S):
            run.works(ability)
            return
        why = _("A text arrives changed or not at all: {kind}", kind=shown)
    except CallCancelled:
        raise
    except DeviceError as error:
        why = str(error)
    run.lacks(ability, why)


def _typed(run: CheckStepRun, source: TreeSource) -> str:
    field = _field(_tree(run, source))
    return field.text if field is not None else ""


def _empty(run: CheckStepRun) -> None:
    """Delete what is in the field; many letters take one command."""
    words = ["input", "keyevent", str(CODES["MOVE_END"]), *[str(CODES["DEL"])] * _DELETES]
    run.device.shell(words)


def _tree(run: CheckStepRun, source: TreeSource) -> Tree:
    tree = source.snapshot(run.cancel).tree
    return tree if tree is not None else Tree(())


def _search(tree: Tree) -> Node | None:
    nodes = (node for node in tree if node.clickable and node.bounds is not None)
    return next((node for node in nodes if _SEARCH.search(f"{node.short_id} {node.label}")), None)


def _field(tree: Tree) -> Node | None:
    fields = [node for node in tree if node.short_class.endswith("EditText") and node.bounds is not None]
    return next((node for node in fields if node.flag("focused")), fields[0] if fields else None)


def _tap(run: CheckStepRun, node: Node) -> None:
    assert node.bounds is not None
    at = Position(node.bounds.center, run.display.size)
    sink = ShellInput(run.device)
    for action in (TouchAction.DOWN, TouchAction.UP):
        sink.touch(action, 0, at)

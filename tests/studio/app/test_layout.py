"""Every workspace in four sizes and three languages: no text is cut, no parts overlap or scroll aside.

`make test` tries all sizes in English, and in the others the smallest and the largest; `make in-full` all.
"""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMenu

from collector.model import i18n
from collector.model.pseudo_language import ACCENTED, MIRRORED
from collector.model.resources import asset
from collector.recorder.events import Phase, RecordingState
from studio.app.language import use_language
from studio.app.studio import Studio
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.settings import Settings
from studio.widgets.controls import Tabs
from tests.helpers.layout_faults import settled_faults
from tests.helpers.painted_texts import painted_faults, painted_texts
from tests.helpers.studios import end_studio
from tests.helpers.untranslated import shown_words, untranslated

SIZES = (QSize(1280, 720), QSize(1366, 768), QSize(1440, 900), QSize(1920, 1080))
LEAST = QSize(960, 600)
"""The least window: a screen of 1920 x 1200 at 200 %. Tried in English."""
TASK = "shop-14"
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True),
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A copy of the sample project, which is indexed once."""
    return shutil.copytree(asset("sample"), tmp_path_factory.mktemp("layout") / "sample")


@pytest.fixture(params=("en", "zh_CN", ACCENTED, MIRRORED))
def window(request, qapp, qtbot, dressed, tmp_path, sample):
    """A studio in a language with a copy of the sample open."""
    use_language(qapp, request.param)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings)
    studio.show()
    with qtbot.waitSignal(studio.project_library.opened, timeout=20_000):
        studio.project_library.open(sample)
    yield studio
    end_studio(studio, qtbot)
    use_language(qapp, "en")


def _project(studio, qtbot):
    """All trajectories are counted."""
    qtbot.waitUntil(lambda: bool(studio.project_library.snapshot.recent), timeout=20_000)


def _record(studio, _qtbot):
    """A recording runs; its phone is not on show."""
    workspace = studio.window.workspace("record")
    workspace.mirror.set_stored_open(True)
    studio.recording.state_changed.emit(RecordingState(Phase.RECORDING))
    workspace.recording_toolbar.show_count(12)
    return lambda: (studio.recording.state_changed.emit(None), workspace.mirror.set_stored_open(False))


def _states(studio, qtbot):
    """Labels are given beside the phone."""
    workspace = studio.window.workspace("states")
    qtbot.waitUntil(lambda: bool(workspace.session.tasks), timeout=20_000)
    workspace.session.choose_task(TASK)
    qtbot.waitUntil(lambda: bool(workspace.session.trajectories), timeout=20_000)
    workspace.session.select(workspace.session.task.essential_states[-1], follow=True)  # in a nested group
    studio.commander.run("states.show-labels")
    if not workspace.graph.is_screen_shown:
        studio.commander.run("states.toggle-screen")


def _review(studio, qtbot):
    """Two recordings are side by side."""
    workspace = studio.window.workspace("review")
    for name, beside in (("lin", ""), ("sara", "yes")):
        count = len(workspace.session.stored)
        workspace.open_trajectory(f"trajectories/{TASK}/{TASK}-{name}", beside=beside)
        qtbot.waitUntil(lambda count=count: len(workspace.session.stored) > count, timeout=20_000)
    qtbot.waitUntil(lambda: workspace.session.is_aligned, timeout=20_000)


def _metrics(studio, qtbot):
    """Numbers are counted."""
    session = studio.window.workspace("metrics").session
    qtbot.waitUntil(lambda: bool(session.tables), timeout=20_000)


SCENES = {"metrics": _metrics, "project": _project, "record": _record, "states": _states, "review": _review}


@pytest.mark.long_form
def test_every_workspace_fits_in_every_size_and_language(window, sample, qtbot, monkeypatch, in_full):
    found: dict[str, list[str]] = {}
    is_source = i18n.language() == i18n.SOURCE_LANGUAGE
    sizes = (*SIZES, LEAST) if is_source else SIZES if in_full else (SIZES[0], SIZES[-1])
    for entry in AVAILABLE_WORKSPACES:
        window.window.show_workspace(entry.id)
        scene = SCENES.get(entry.id)
        end = scene(window, qtbot) if scene is not None else None
        for size in sizes:
            # Geometry is looked at, so that to be painted in one size is enough.
            window.window.setUpdatesEnabled(size == SIZES[0])
            window.window.resize(size)
            faults = settled_faults(window.window)
            faults += _small_phone(window.window.current, size) if size != LEAST else []
            if size == SIZES[0]:
                faults += _high_menus(window.window)
                with painted_texts(monkeypatch) as painted:
                    window.window.grab()
                faults += painted_faults(painted)
                if i18n.language() == ACCENTED:
                    texts = [("painted", text.text) for each in painted for text in each.texts]
                    faults += untranslated([*texts, *shown_words(window.window)], sample)
                faults += _faults_of_tabs(window.window)
            for fault in faults:
                found.setdefault(f"{entry.id}: {fault}", []).append(f"{size.width()}x{size.height()}")
        if end is not None:
            end()
    assert not found, "\n".join(f"{fault}  ({', '.join(sizes)})" for fault, sizes in found.items())


def _faults_of_tabs(window) -> list[str]:
    """What is wrong with the pages of the tabs that are on show, one after the other."""
    faults: list[str] = []
    for tabs in window.current.findChildren(Tabs):
        if tabs.isVisible():
            before = tabs.current
            for index in range(len(tabs.tab_rects())):
                tabs.set_current(index)
                faults += [f"tab {index + 1}: {fault}" for fault in settled_faults(window)]
            tabs.set_current(before)
    return faults


def _small_phone(workspace, size) -> list[str]:
    """What takes the room of the phone in Record, and of the phones and their timeline in Review."""
    if workspace.scope == "record":
        height = workspace.mirror.view.height()
        return [f"the phone has {height} px"] if height < size.height() - 220 else []
    if workspace.scope != "review":
        return []
    phone = workspace.columns.columns[0].view.picture_rect().width()
    lanes = workspace.timeline.canvas.viewport().visibleRegion().boundingRect().height()
    faults = [f"a phone is {phone} px wide"] if phone < 0.19 * size.height() else []
    return faults + ([f"the timeline has {lanes} px"] if lanes < 150 else [])


def _high_menus(window) -> list[str]:
    """The menus that would cover their bar in the lowest window."""
    found = []
    for action in window.menu.menus.actions():
        action.menu().aboutToShow.emit()  # from then on it has its entries
    for menu in window.menu.menus.findChildren(QMenu):
        menu.aboutToShow.emit()
        if menu.sizeHint().height() > SIZES[0].height() - window.menu.height():
            found.append(f"the menu {menu.title()} is {menu.sizeHint().height()} px high")
    return found

"""Two phones in one window: each has its own recording, and mirrored input makes variants of one golden."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.model.task import Task
from collector.recorder.events import Phase
from collector.store.trajectory.reader import open_trajectory
from studio.bridge.phones import mirrored_phone

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
_SHOP = "com.waymark.shop"
_SEARCH = Task("shop-1", "Search for mugs", "Shop", _SHOP)
_SAVED = Task("shop-2", "Look at what is saved", "Shop", _SHOP)


def steps_of(person, address):
    return person.recording.of(address).steps


def test_recordings_of_two_phones_go_on_beside_each_other_and_input_makes_variants(
    person, phones, monkeypatch, tmp_path
):
    project = person.open_project(tmp_path / "variants", _SEARCH, _SAVED)
    person.take_phone()
    english = person.address
    with phones.phone(size="400x720", locale="zh-CN") as chinese:
        window, links = person.record, person.studio.devices.links
        person.until(lambda: person.studio.devices.entry(chinese) is not None)
        person.run("phones.add", serial=chinese)
        person.until(lambda: links.front == chinese and person.view.frame is not None)
        person.until(lambda: english in window.stage.tiles and links.link(english) is not None)
        assert not person.studio.commander.checked("phones.mirror-input")
        person.studio.window.show_workspace("project")
        assert links.link(english) is None  # nobody sees it: it decodes nothing
        person.studio.window.show_workspace("record")

        # A recording of one goes on while the other is in front, and the other records another task.
        person.run("phones.previous")
        person.until(lambda: links.front == english and links.link(english).is_live)
        person.until(lambda: window.mirror.selection.tree is not None)
        person.start()
        person.tap(person.sees("Shop"))
        QTest.mouseClick(window.stage.tiles[chinese], Qt.MouseButton.LeftButton)
        assert links.front == chinese
        assert person.recording.phase is None
        assert window.session.task_id == "shop-1"
        window.session.choose_task("shop-2")
        person.start()
        assert person.recording.of(english).phase is Phase.RECORDING
        assert [len(steps_of(person, address)) for address in (english, chinese)] == [1, 0]
        assert len(window.session.steps) == 0

        # A phone that is lost pauses its own recording alone, and goes on when it is back.
        person.studio.devices.disconnect_address(english)
        person.until(lambda: person.recording.of(english).phase is Phase.PAUSED)
        assert person.recording.phase is Phase.RECORDING
        person.until(lambda: window.stage.bar.tabs[english].facts.state == "gone, 1 step kept")
        person.studio.devices.connect_address(english, remember=False)
        person.until(lambda: person.recording.of(english).phase is Phase.RECORDING)
        person.run("phones.next")
        person.run("phones.close")  # nothing was recorded on it
        person.until(lambda: links.serials == (english,))
        assert window.session.task_id == "shop-1"
        assert len(window.session.steps) == 1
        person.until(
            lambda: any(
                "Nothing was recorded" in toast.accessibleName()
                for toast in person.studio.window.toasts.shown
            )
        )
        person.run("record.discard")
        person.until(lambda: not person.recording.active)

        # One input for both: the same nodes, wherever they lie and whatever they say.
        person.run("phones.add", serial=chinese)
        person.until(lambda: chinese == links.front and person.view.frame is not None)
        person.run("phones.next")
        for address in (english, chinese):
            person.until(lambda address=address: (link := links.link(address)) is not None and link.is_live)
        window.session.choose_task("shop-1")
        person.run("phones.mirror-input")
        person.until(lambda: "2 phones" in window.stage.bar.mirror.text())
        person.start()
        person.until(lambda: person.recording.of(chinese).is_running)
        person.run("record.open-app", package=_SHOP)
        person.until(lambda: len(steps_of(person, chinese)) == 1)
        person.tap(person.sees("Search products"))
        person.until(lambda: len(steps_of(person, chinese)) == 2)
        person.types("mug")
        person.until(lambda: len(steps_of(person, chinese)) == 3)

        # What has no place there is said there, and nothing is sent.
        monkeypatch.setattr(mirrored_phone, "PATIENCE_S", 0.5)
        person.recording.target_for(links.link(chinese)).key("home")
        person.until(lambda: len(steps_of(person, chinese)) == 4)
        person.tap(person.field("query"))
        person.until(lambda: window.mirrored.problem(chinese))
        assert window.mirrored.problem(chinese).startswith("It shows another app")
        person.until(lambda: window.stage.tiles[chinese].canvas.notice[0] == "Not mirrored")
        person.run("record.finish")
        person.until(lambda: not person.recording.active)

        # A phone that begins elsewhere is named. (The one in front is in the shop, the other at home.)
        toasts = person.studio.window.toasts
        person.start()
        name = person.studio.devices.name(chinese)
        person.until(
            lambda: any(
                f"{name} does not begin where" in toast.accessibleName() and _SHOP in toast.accessibleName()
                for toast in toasts.shown
            )
        )
        person.run("record.discard")
        person.until(lambda: not person.recording.of(english).is_active)
        person.recording.of(chinese).stop()
        person.until(lambda: not person.recording.active)

        # All phones are reset by a task that says so, and what runs when the window closes is kept.
        window.session.choose_task("shop-1")
        person.run("record.reset-before-app")
        person.until(lambda: person.studio.project_library.snapshot.task("shop-1").reset == "app-data")
        person.start()
        person.until(lambda: len(person.recording.active) == 2)
        person.until(lambda: all(one.is_running for one in person.recording.active))
        assert {one.header.extra["reset"]["package"] for one in person.recording.active} == {_SHOP}
        person.run("record.open-app", package=_SHOP)
        person.until(lambda: all(steps_of(person, address) for address in (english, chinese)))
        person.run("phones.next")
        assert links.front == chinese
        assert window.session.is_live, "its recording went on behind the phone in front"
        kept = {one.folder for one in person.recording.active}
        person.recording.stop_all()
        person.until(lambda: not person.recording.active)
        assert len(kept) == 2
        assert {open_trajectory(folder).header.status for folder in kept} == {"recording"}
        person.run("phones.close")
        assert not window.mirrored.is_on  # the phones of the window are others
    folders = project.trajectory_folders()
    goldens = [stored for stored in map(open_trajectory, folders) if stored.header.status == "finished"]
    by_language = {stored.header.device["language"]: stored for stored in goldens}
    assert {name: stored.header.task_id for name, stored in by_language.items()} == {
        "en-US": "shop-1", "zh-CN": "shop-1",
    }  # fmt: skip
    assert by_language["zh-CN"].header.device["size"] == "400x720"
    first = [[step.action for step in stored.steps[:3]] for stored in by_language.values()]
    assert [[action.kind for action in actions] for actions in first] == [["open_app", "tap", "type"]] * 2
    targets = [stored.steps[1].target for stored in by_language.values()]
    assert len({target.attributes["resource-id"] for target in targets}) == 1
    assert len({target.bounds for target in targets}) == 2

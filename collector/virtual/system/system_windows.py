"""What a touch on the shade, on a notification over the screen, and on the overview does."""

from __future__ import annotations

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.phone_state.activities import ActivityTask
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.notice import Notification
from collector.virtual.ui.events import Event


class SystemWindows:
    """The phone's lock protects it."""

    def __init__(self, state: SystemState, manager: ActivityManager) -> None:
        self._state, self._manager = state, manager
        manager.system["shade"] = manager.system["recents"] = self._event

    def _event(self, event: Event) -> None:
        state, manager = self._state, self._manager
        if event.name == "shade.toggle" and isinstance(event.key, tuple):
            namespace, key = event.key
            manager.put_setting(namespace, key, str(event.value))
        elif event.name == "shade.act" and isinstance(event.value, Event):
            self._act_on_notification(event.key, event.value)
        elif event.name == "shade.open":
            self._open_notification(event.key)
        elif event.name == "shade.swipe":
            self._swipe_notification(event.key)
        elif event.name in ("recents.open", "recents.close"):
            task = next((task for task in state.activities.tasks if task.number == event.key), None)
            if task is not None:
                self._pick_task(task, close=event.name == "recents.close")
        elif event.name == "recents.clear":
            for task in list(state.activities.tasks):
                top = task.records[-1]
                if not top.activity.home and top.app.in_recents:
                    state.activities.tasks.remove(task)
            manager.home()
        state.touch()

    def _open_notification(self, number: object) -> None:
        """Tap a notification: close the shade and open its target."""
        posted = self._manager.notices.take(number)
        self._state.shade_open = False
        if posted is None:
            return
        if posted.notice.on_tap is not None:
            self._tell(posted, posted.notice.on_tap)
        elif posted.notice.intent is not None:
            self._manager.start(posted.notice.intent, from_app=True, new_task=True)
        elif posted.package in self._state.apps:
            self._manager.launch(posted.package)

    def _act_on_notification(self, number: object, event: Event) -> None:
        """Press a button of a notification."""
        posted = self._manager.notices.take(number)
        if posted is not None:
            self._tell(posted, event)

    def _swipe_notification(self, number: object) -> None:
        """Swipe a notification away; one that stays comes back at once, and nobody is told."""
        posted = self._manager.notices.take(number)
        if posted is not None and not posted.notice.ongoing and posted.notice.on_swipe is not None:
            self._tell(posted, posted.notice.on_swipe)

    def _tell(self, posted: Notification, event: Event) -> None:
        app = self._state.apps.get(posted.package)
        if posted.notice.to_app and app is not None:
            self._manager.send_to(app, event)
            return
        handler = self._manager.system.get(event.name.partition(".")[0])
        if handler is not None:
            handler(event)

    def _pick_task(self, task: ActivityTask, close: bool) -> None:
        if close:
            self._state.activities.tasks.remove(task)
            return
        self._state.recents_open = False
        self._state.activities.to_front(task)
        self._manager.resume()

"""Notifications: posted, shown as heads-up, and what their buttons do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.virtual.system.windows.notice import Notice, Notification
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui.effects import Notify

if TYPE_CHECKING:
    from collector.virtual.system.phone_state.state import SystemState

HEADS_UP_SECONDS = 5.0
_LABELS = {
    "android": "Android System",
    "com.android.systemui": "Android System",
    "com.android.shell": "Shell",
    "com.android.dialer": "Phone",
    "com.android.messaging": "Messages",
}
POST_NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS"


def poster_name(state: SystemState, package: str) -> str:
    """The name of the posting app in the shade, in the phone's language."""
    app = state.apps.get(package)
    return state.label_of(app) if app is not None else say(_LABELS.get(package, package), state.language)


class Notices:
    """The notification manager. Every method may be called from any thread."""

    def __init__(self, state: SystemState) -> None:
        self._state = state
        self._timer: int | None = None
        self._count = 0

    def post(self, notice: Notice) -> bool:
        """Show a notification, over the screen when urgent; False when the app lacks the permission."""
        with self._state.lock:
            if not self.allowed(notice.package):
                return False
            state = self._state
            self._count += 1
            if notice.tag:
                self._drop(
                    lambda posted: posted.notice.tag == notice.tag and posted.package == notice.package
                )
            posted = Notification(self._count, notice)
            state.notifications = (*state.notifications, posted)
            if notice.urgent and self.interruptions_allowed and not state.shade_open:
                self._show_heads_up(posted)
            state.touch()
            return True

    def post_of(self, package: str, effect: Notify) -> bool:
        """Show what an app asks to be shown; False when it lacks the permission."""
        return self.post(
            Notice(
                package, effect.title, effect.text, effect.tag, actions=effect.actions,
                urgent=effect.urgent, on_tap=effect.on_tap, on_swipe=effect.on_swipe,
                to_app=effect.on_tap is not None,
            )
        )  # fmt: skip

    def allowed(self, package: str, asked: bool = True) -> bool:
        """Whether an app may post; a phone that is too old to be ``asked`` knows no permission for it."""
        denied = asked and (package, POST_NOTIFICATIONS) in self._state.revoked
        denied |= self._state.settings.is_on("secure", f"notifications_banned:{package}")
        return not denied and self._state.ops.get((package, "POST_NOTIFICATION")) not in ("ignore", "deny")

    @property
    def interruptions_allowed(self) -> bool:
        """False while "do not disturb" is on."""
        return self._state.settings.get("global", "zen_mode") in (None, "0")

    def cancel(self, package: str, tag: str) -> None:
        """Remove the notification of a package with this tag."""
        with self._state.lock:
            self._drop(lambda posted: posted.package == package and posted.notice.tag == tag)
            self._state.touch()

    def cancel_all(self, package: str = "") -> None:
        """Remove all clearable notifications, as the shade's button does; of one package when named."""
        with self._state.lock:
            self._drop(lambda posted: not posted.notice.ongoing and package in ("", posted.package))
            self._state.touch()

    def forget(self) -> None:
        """Remove everything, as a restart does."""
        with self._state.lock:
            self._drop(lambda _notification: True)
            self._state.touch()

    def take(self, number: object) -> Notification | None:
        """The tapped notification; it leaves the shade unless it is ongoing."""
        tapped = next(
            (notification for notification in self._state.notifications if notification.number == number),
            None,
        )
        self.hide_heads_up()
        if tapped is not None and not tapped.notice.ongoing:
            self._drop(lambda posted: posted is tapped)
        return tapped

    def hide_heads_up(self) -> None:
        """Hide the heads-up notification; it stays in the shade."""
        with self._state.lock:
            self._state.ticker.cancel(self._timer)
            self._timer = None
            if self._state.heads_up is not None:
                self._state.heads_up = None
                self._state.touch()

    @property
    def posted(self) -> tuple[Notification, ...]:
        """The posted notifications, oldest first."""
        with self._state.lock:
            return self._state.notifications

    def listed(self) -> list[str]:
        """The fields that ``cmd notification list`` prints: user, package, id, tag and uid."""
        with self._state.lock:
            return [
                f"0|{posted.package}|{posted.notice.id}|{posted.notice.tag or 'null'}"
                f"|{self._state.uid(posted.package)}"
                for posted in self._state.notifications
            ]

    def _show_heads_up(self, posted: Notification) -> None:
        self.hide_heads_up()
        self._state.heads_up = posted.number
        self._timer = self._state.ticker.after(HEADS_UP_SECONDS, self.hide_heads_up)

    def _drop(self, leaves: Callable[[Notification], bool]) -> None:
        self._state.notifications = tuple(
            notification for notification in self._state.notifications if not leaves(notification)
        )
        if self._state.heads_up not in {notification.number for notification in self._state.notifications}:
            self.hide_heads_up()

"""Incoming calls and text messages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.dialogs.prompts import Prompts
from collector.virtual.system.notices import Notices
from collector.virtual.system.phone_state.caller_names import caller_name
from collector.virtual.system.phone_state.phone_records import INBOX, TextMessage
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.notice import Notice
from collector.virtual.system.windows.phrases import say
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui.call_record import INCOMING, MISSED, OUTGOING, CallRecord
from collector.virtual.ui.events import Event

_NETWORK = {
    "speed": "full", "delay": "none", "voice": "home", "data": "home", "signal": "31", "signal-profile": "4",
    "meter": "on", "cdma-source": "ruim", "cdma-prl-version": "0",
}  # fmt: skip
DIALER, MESSAGING = "com.android.dialer", "com.android.messaging"


class Telephony:
    """Events from the mobile network. Every method may be called from any thread."""

    def __init__(
        self, state: SystemState, notices: Notices, prompts: Prompts, manager: ActivityManager
    ) -> None:
        self._state = state
        self._notices = notices
        self._prompts = prompts
        self._began: dict[str, int] = {}
        """When each call began to ring or was accepted, in ms."""
        self._network = dict(_NETWORK)
        prompts.answers["call"] = self._answered
        manager.system["call"] = self._event
        manager.place_call = self.dial
        self._dialled: set[str] = set()
        """Numbers of the calls that were made from this phone."""
        state.followers.append(self._setting_changed)

    @property
    def calls(self) -> dict[str, str]:
        """Phone numbers with ``incoming``, ``active`` or ``held``."""
        with self._state.lock:
            return dict(self._state.calls)

    @property
    def dialled(self) -> frozenset[str]:
        """Numbers of the calls that were made from this phone."""
        with self._state.lock:
            return frozenset(self._dialled)

    def ring(self, number: str) -> bool:
        """Start an incoming call; False during another call or without a network."""
        with self._state.lock:
            if number in self._state.calls or self._state.airplane:
                return False
            self._state.calls[number] = "incoming"
            self._began[number] = self._now_ms()
            self._state.set_awake(True)
            self._show(number)
            return True

    def dial(self, number: str) -> bool:
        """Call a number, which answers at once; False during a call with it or without a network."""
        with self._state.lock:
            if number in self._state.calls or self._state.airplane:
                return False
            self._dialled.add(number)
            self._state.calls[number] = "active"
            self._began[number] = self._now_ms()
            self._show(number)
            return True

    def accept(self, number: str) -> bool:
        """Accept a call; False for an unknown number."""
        with self._state.lock:
            if number not in self._state.calls:
                return False
            self._state.calls[number] = "active"
            self._began[number] = self._now_ms()
            self._show(number)
            return True

    def hold(self, number: str) -> bool:
        """Put a call on hold; False for an unknown number."""
        with self._state.lock:
            if number not in self._state.calls:
                return False
            self._state.calls[number] = "held"
            return True

    def hang_up(self, number: str) -> bool:
        """End a call, accepted or not; False for an unknown number."""
        with self._state.lock:
            how = self._state.calls.pop(number, None)
            if how is None:
                return False
            self._log_call(number, accepted=how != "incoming")
            self._prompts.withdraw("call", DIALER, number)
            self._notices.cancel(DIALER, number)
            return True

    def message(self, number: str, text: str) -> None:
        """Receive a text message."""
        with self._state.lock:
            self.store(number, text)
            self._notices.post(Notice(MESSAGING, number, text, urgent=True))

    # ---- what the phone keeps ------------------------------------------------------------------

    @property
    def messages(self) -> tuple[TextMessage, ...]:
        """The stored text messages, the newest first."""
        with self._state.lock:
            return self._state.messages

    @property
    def call_log(self) -> tuple[CallRecord, ...]:
        """The calls that have ended, the newest first."""
        with self._state.lock:
            return self._state.call_log

    def store(
        self, number: str, text: str, folder: int = INBOX, *, read: bool = False, date_ms: int | None = None
    ) -> TextMessage:
        """Store a text message without telling of it."""
        with self._state.lock:
            kept = self._state.messages
            threads = {message.address: message.thread for message in kept}
            message = TextMessage(
                max((message.id for message in kept), default=0) + 1,
                threads.get(number, max(threads.values(), default=0) + 1),
                number,
                self._now_ms() if date_ms is None else date_ms,
                text,
                folder,
                read,
            )
            self._state.messages = (message, *kept)
            return message

    def replace_messages(self, change: Callable[[TextMessage], TextMessage | None]) -> None:
        """Change every stored message; None deletes it."""
        with self._state.lock:
            changed = (change(message) for message in self._state.messages)
            self._state.messages = tuple(message for message in changed if message is not None)

    def _log_call(self, number: str, *, accepted: bool) -> None:
        began, now = self._began.pop(number, self._now_ms()), self._now_ms()
        kept = self._state.call_log
        record = CallRecord(
            max((record.id for record in kept), default=0) + 1,
            number,
            began,
            (now - began) // 1000 if accepted else 0,
            OUTGOING if number in self._dialled else INCOMING if accepted else MISSED,
            caller_name(self._state, number),
        )
        self._dialled.discard(number)
        self._state.call_log = (record, *kept)

    def _now_ms(self) -> int:
        return int(self._state.clock.now.replace(tzinfo=dt.UTC).timestamp() * 1000)

    def _show(self, number: str) -> None:
        language, active = self._state.language, self._state.calls[number] == "active"
        actions = [("End call" if active else "Decline", Event("call.end", number))]
        if not active:
            actions.append(("Answer", Event("call.accept", number)))
        self._notices.post(
            Notice(
                DIALER,
                caller_name(self._state, number) or number,
                say("Ongoing call" if active else "Incoming call", language),
                tag=number,
                id=1,
                on_tap=Event("call.show", number),
                actions=tuple(actions),
                ongoing=True,
            )
        )
        if active or self._notices.interruptions_allowed:
            self._notices.hide_heads_up()
            self._prompts.ask(Prompt("call", DIALER, number))

    def _answered(self, prompt: Prompt, answer: str) -> None:
        if answer == "answer":
            self.accept(prompt.detail)
        else:
            self.hang_up(prompt.detail)

    def _event(self, event: Event) -> None:
        number = str(event.key)
        self._state.shade_open = False
        if event.name == "call.end":
            self.hang_up(number)
        elif event.name == "call.accept":
            self.accept(number)
        elif number in self._state.calls:
            self._prompts.ask(Prompt("call", DIALER, number))

    def _setting_changed(self, namespace: str, key: str) -> None:
        if (namespace, key) == ("global", "airplane_mode_on") and self._state.airplane:
            for number in list(self._state.calls):
                self.hang_up(number)

    # ---- the emulator's network ----------------------------------------------------------------

    def set_network(self, parameter: str, value: str) -> None:
        """A value of the mobile network, as the emulator's console sets it; nothing follows from it."""
        with self._state.lock:
            self._network[parameter] = value

    def network(self, parameter: str) -> str:
        with self._state.lock:
            return self._network[parameter]

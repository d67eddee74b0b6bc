"""Readers of streams: each gets its input at once, and byte by byte, and has to say the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from collector.adb import dumpsys, getevent, packages, properties
from collector.adb.messages import Banner
from collector.adb.shell_protocol import ShellService
from collector.adb.smart_socket import block_length
from collector.adb.touch_events import TouchReader
from collector.agents.process.action_reader import read_action
from collector.agents.process.messages import read_usage
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dgara import read_decision
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.registry import DIALECTS
from collector.model.geometry import Rect, Size

_PIECE = 7
_SCREEN = AgentScreen(Size(720, 1600), Size(364, 812), (Rect(0, 0, 10, 10), Rect(10, 10, 700, 900)))


class _Feedable(Protocol):
    def feed(self, data: bytes, /) -> Iterable[Any]: ...


def fed(make: Callable[[], _Feedable]) -> Callable[[bytes], None]:
    """Feed a new reader of a stream."""

    def read(data: bytes) -> None:
        whole, error = _heard(make(), [data])
        pieces, later = _heard(make(), (data[at : at + _PIECE] for at in range(0, len(data), _PIECE)))
        # With an error, a list of what came before it is lost.
        assert pieces[: len(whole)] == whole, "cut into pieces it means something else"
        assert error == later, f"at once: {error!r}, cut into pieces: {later!r}"

    return read


def _heard(reader: _Feedable, parts: Iterable[bytes]) -> tuple[list[Any], str]:
    """What a reader says, and the error that ends it."""
    said: list[Any] = []
    try:
        for part in parts:
            said.extend(reader.feed(part))
    except ValueError as error:
        # A subclass says what is wrong with the stream; ValueError itself is a mistake of the reader.
        if type(error) is ValueError or isinstance(error, UnicodeError):
            raise
        return said, str(error)
    return said, ""


def phone_texts(data: bytes) -> None:
    """What a phone prints, and what a client of adb asks for; none of it is trusted."""
    text = data.decode("utf-8", "replace")
    for parse in (
        dumpsys.parse_focus,
        dumpsys.parse_focused_app,
        dumpsys.parse_resumed_activity,
        dumpsys.parse_top_activity,
        dumpsys.parse_rotation,
        dumpsys.parse_display_sizes,
        dumpsys.parse_battery,
        dumpsys.parse_input_method,
        dumpsys.parse_keyboard_frame,
        dumpsys.parse_secure_windows,
        packages.parse_launcher_activities,
        packages.parse_packages,
        packages.parse_listed_apps,
        properties.parse_getprop,
        properties.parse_wm_size,
        properties.parse_wm_density,
        getevent.parse_devices,
    ):
        parse(text)
    Banner.decode(data)


def touches(data: bytes) -> None:
    """Lines of ``getevent`` to a listener."""
    reader = TouchReader()
    for line in data.decode("utf-8", "replace").splitlines():
        event = getevent.parse_event(line)
        if event is not None:
            reader.feed(event)
    reader.cancel()


def services(data: bytes) -> None:
    """What a client of adb asks a phone for. Raises ValueError."""
    block_length(data[:4])
    ShellService.parse(data[4:].decode("utf-8", "replace"))


def agent_answer(data: bytes) -> None:
    """A line of an agent's program. Raises ValueError, Malformed and Hallucinated."""
    message = json.loads(data)
    if not isinstance(message, dict):
        return
    read_usage(message.get("usage"), 1)
    for read in (
        lambda: read_action(message.get("action"), _SCREEN.size),
        lambda: read_decision(message, _SCREEN),
    ):
        try:
            read()
        except (Malformed, Hallucinated):
            continue


def model_answer(data: bytes) -> None:
    """The answer of a model, in each dialect."""
    text = data.decode("utf-8", "replace")
    for dialect in DIALECTS.values():
        dialect.read(text, _SCREEN)

"""``media volume`` and ``cmd media_session volume``: the volumes of the streams."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import ANDROID_10, FAILED, Service


@dataclass(frozen=True, slots=True)
class _Stream:
    """An audio stream: its name, its key in the system settings, and the range of its volume."""

    name: str
    key: str
    lowest: int
    highest: int
    usual: int


STREAMS = {
    0: _Stream("STREAM_VOICE_CALL", "volume_voice", 1, 7, 4),
    1: _Stream("STREAM_SYSTEM", "volume_system", 0, 7, 5),
    2: _Stream("STREAM_RING", "volume_ring", 0, 7, 5),
    3: _Stream("STREAM_MUSIC", "volume_music", 0, 15, 7),
    4: _Stream("STREAM_ALARM", "volume_alarm", 1, 7, 6),
    5: _Stream("STREAM_NOTIFICATION", "volume_notification", 0, 7, 5),
}
"""The streams by Android's numbers."""
media_session = Service(
    "media_session",
    "usage: media_session [subcommand] [options]\n       media_session dispatch KEY\n"
    "       media_session list-sessions\n       media_session monitor <tag>\n"
    "       media_session volume [options]\n",
    shell=ANDROID_10,
)


def volume(process: Process, number: int) -> int:
    """The volume of a stream."""
    stream = STREAMS[number]
    text = process.machine.phone.settings.get("system", stream.key) or ""
    return int(text) if text.isdecimal() else stream.usual


@command("media", "media_session")
def media(process: Process) -> int:
    """Run ``cmd media_session`` under its older names."""
    return media_session.run(process, process.arguments)


@media_session.command("volume")
def _volume(process: Process, words: list[str]) -> int:
    """``--stream N --get``, ``--set INDEX`` or ``--adj raise|lower|same``."""
    values = {word: words[place + 1] for place, word in enumerate(words[:-1]) if word.startswith("--")}
    text = values.get("--stream", "3")
    stream = STREAMS.get(int(text)) if text.isdecimal() else None
    if stream is None:
        process.err(f"Error: invalid stream {text}")
        return FAILED
    change = values.get("--set", "")
    if change and not change.lstrip("-").isdecimal():
        process.err(f"Error: invalid volume {change}")
        return FAILED
    index = volume(process, int(text))
    process.line(f"[V] will control stream={text} ({stream.name})")
    if change:
        index = int(change)
        process.line(f"[V] will set volume to index={index}")
        if not stream.lowest <= index <= stream.highest:
            process.line(
                f"Error: invalid volume index {index} is out of range [{stream.lowest}..{stream.highest}]"
            )
            return 0
    way = values.get("--adj", "")
    if way:
        process.line(f"[V] will adjust volume with {way}")
        index += {"raise": 1, "lower": -1}.get(way, 0)
    if "--get" in words:
        process.line("[V] will get volume")
    process.line("[V] Connecting to AudioService")
    index = min(max(index, stream.lowest), stream.highest)
    if change or way:
        process.machine.phone.settings.put("system", stream.key, str(index))
    if "--get" in words:
        process.line(f"[V] volume is {index} in range [{stream.lowest}..{stream.highest}]")
    return 0


@media_session.command("list-sessions")
def _sessions(process: Process, words: list[str]) -> int:
    del words
    process.line("Sessions:")
    return 0

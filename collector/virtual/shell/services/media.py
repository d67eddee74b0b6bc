"""``media volume``, ``cmd media_session`` and ``cmd audio``: the volumes of the streams."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_10, ANDROID_12, ANDROID_13, ANDROID_14, ANDROID_15
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, Service, required, thrown
from collector.virtual.system.phone_state.volumes import STREAMS, volume

_MUSIC = 3
_MEDIA_KEYS = frozenset(
    {"play", "pause", "play-pause", "mute", "headsethook", "stop", "next", "previous", "rewind", "record",
     "fast-forward"}
)  # fmt: skip
media_session = Service(
    "media_session",
    "usage: media_session [subcommand] [options]\n       media_session dispatch KEY\n"
    "       media_session list-sessions\n       media_session monitor <tag>\n"
    "       media_session volume [options]\n",
    shell=ANDROID_10,
)


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
    index = volume(process.machine.phone.settings, int(text))
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


@media_session.command("dispatch")
def _dispatch(process: Process, words: list[str]) -> int:
    """A key of media: it reaches no app, as none plays; ``mute`` the system hears itself."""
    key = required(process, "dispatch", words)
    if key not in _MEDIA_KEYS:
        process.err(f"Error: unknown dispatch code '{key}'")
        return FAILED
    if key == "mute":
        stream, store = STREAMS[_MUSIC], process.machine.phone.settings
        muted = volume(store, _MUSIC) == stream.lowest
        store.put("system", stream.key, str(stream.usual if muted else stream.lowest))
    return 0


@media_session.command("list-sessions")
def _sessions(process: Process, words: list[str]) -> int:
    del words
    process.line("Sessions:")
    return 0


# ---- cmd audio ------------------------------------------------------------------------------------

_RINGER = {"SILENT": "0", "VIBRATE": "1", "NORMAL": "2"}
audio = Service(
    "audio",
    "AudioService commands:\n  help\n    Print this help text.\n\n"
    "  set-volume STREAM_TYPE VOLUME_INDEX\n    Sets the volume for STREAM_TYPE to VOLUME_INDEX\n"
    "  get-min-volume STREAM_TYPE\n    Gets the min volume for STREAM_TYPE\n"
    "  get-max-volume STREAM_TYPE\n    Gets the max volume for STREAM_TYPE\n"
    "  get-stream-volume STREAM_TYPE\n    Gets the volume for STREAM_TYPE\n"
    "  adj-mute STREAM_TYPE\n    mutes the STREAM_TYPE\n"
    "  adj-unmute STREAM_TYPE\n    unmutes the STREAM_TYPE\n"
    "  get-ringer-mode\n    Gets the Ringer mode, one of NORMAL, SILENT or VIBRATE\n"
    "  set-ringer-mode NORMAL|SILENT|VIBRATE\n    Sets the Ringer mode, one of NORMAL, SILENT or VIBRATE\n",
    shell=ANDROID_12,
)


def _stream(process: Process, verb: str, words: list[str]) -> int:
    """The stream of the first word; Android's exception for a missing or unknown one."""
    text = required(process, verb, words)
    if not text.isdecimal():
        raise thrown(process, verb, f'java.lang.NumberFormatException: For input string: "{text}"')
    if int(text) not in STREAMS:
        raise thrown(process, verb, f"java.lang.IllegalArgumentException: Bad stream type {text}")
    return int(text)


@audio.command("set-volume", ANDROID_13)
def _set_stream(process: Process, words: list[str]) -> int:
    number, text = _stream(process, "set-volume", words), required(process, "set-volume", words)
    if not text.lstrip("-").isdecimal():
        raise thrown(process, "set-volume", f'java.lang.NumberFormatException: For input string: "{text}"')
    process.line(f"calling AudioManager.setStreamVolume({number}, {int(text)}, 0)")
    stream = STREAMS[number]
    index = min(max(int(text), stream.lowest), stream.highest)
    process.machine.phone.settings.put("system", stream.key, str(index))
    return 0


@audio.command("get-stream-volume", ANDROID_15)
def _get_stream(process: Process, words: list[str]) -> int:
    number = _stream(process, "get-stream-volume", words)
    process.line(
        f"AudioManager.getStreamVolume({number}) -> {volume(process.machine.phone.settings, number)}"
    )
    return 0


@audio.command("get-min-volume", ANDROID_14)
def _lowest(process: Process, words: list[str]) -> int:
    number = _stream(process, "get-min-volume", words)
    process.line(f"AudioManager.getStreamMinVolume({number}) -> {STREAMS[number].lowest}")
    return 0


@audio.command("get-max-volume", ANDROID_14)
def _highest(process: Process, words: list[str]) -> int:
    number = _stream(process, "get-max-volume", words)
    process.line(f"AudioManager.getStreamMaxVolume({number}) -> {STREAMS[number].highest}")
    return 0


@audio.command("adj-mute", ANDROID_13)
def _mute(process: Process, words: list[str]) -> int:
    number = _stream(process, "adj-mute", words)
    process.line(f"calling AudioManager.adjustStreamVolume({number}, AudioManager.ADJUST_MUTE, 0)")
    stream = STREAMS[number]
    process.machine.phone.settings.put("system", stream.key, str(stream.lowest))
    return 0


@audio.command("adj-unmute", ANDROID_13)
def _unmute(process: Process, words: list[str]) -> int:
    number = _stream(process, "adj-unmute", words)
    process.line(f"calling AudioManager.adjustStreamVolume({number}, AudioManager.ADJUST_UNMUTE, 0)")
    stream = STREAMS[number]
    if volume(process.machine.phone.settings, number) == stream.lowest:
        process.machine.phone.settings.put("system", stream.key, str(stream.usual))
    return 0


@audio.command("get-ringer-mode", ANDROID_14)
def _ringer(process: Process, words: list[str]) -> int:
    del words
    mode = process.machine.phone.settings.get("global", "mode_ringer") or "2"
    process.line(f"Ringer mode: {next((name for name, key in _RINGER.items() if key == mode), 'NORMAL')}")
    return 0


@audio.command("set-ringer-mode", ANDROID_14)
def _set_ringer(process: Process, words: list[str]) -> int:
    text = required(process, "set-ringer-mode", words)
    if text not in _RINGER:
        process.err("Error: unknown ringer mode")
        return FAILED
    process.machine.phone.settings.put("global", "mode_ringer", _RINGER[text])
    return 0

"""Pictures of an H.264 stream as they were encoded: key frames and the parameters that decode them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_START = b"\0\0\1"
_KEY_SLICE, _SPS, _PPS = 5, 7, 8
_LAST_SLICE = 5
"""NAL units of the kinds 1 to 5 hold a picture; what precedes the first of them describes it."""


@dataclass(frozen=True, slots=True)
class EncodedPicture:
    """One access unit in Annex B form, unchanged."""

    data: bytes
    time_ns: int
    """When the phone took it, on the clock of ``time.monotonic_ns``."""
    is_key: bool
    """Whether decoding can begin with it."""
    parameters: bytes
    """SPS and PPS, in Annex B form, that decode it: others belong to a stream of another size."""


class EncodedPictures:
    """Tells which access units of one stream are key frames, and which parameters are in force."""

    def __init__(self) -> None:
        self._parameters = b""

    def picture(self, unit: bytes, time_ns: int) -> EncodedPicture | None:
        """The picture in an access unit; None when it holds none, or before the first parameters."""
        found, kind = [], 0
        for start, end in _units(unit):
            kind = unit[start] & 0x1F
            if 1 <= kind <= _LAST_SLICE:
                break
            if kind in (_SPS, _PPS):
                found.append(b"\0" + _START + unit[start:end].rstrip(b"\0"))
        if found:
            self._parameters = b"".join(found)
        if not self._parameters or not 1 <= kind <= _LAST_SLICE:
            return None
        return EncodedPicture(unit, time_ns, kind == _KEY_SLICE, self._parameters)


def _units(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each NAL unit begins and ends; its first byte says its kind."""
    start = data.find(_START)
    while 0 <= start < len(data) - len(_START):
        begin = start + len(_START)
        start = data.find(_START, begin) if data[begin] & 0x1F > _LAST_SLICE else -1
        yield begin, start if start >= 0 else len(data)

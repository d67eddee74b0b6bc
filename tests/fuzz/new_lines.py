"""Which lines of the product an input reaches first: those inputs are worth changing further."""

from __future__ import annotations

import sys
from types import CodeType, FrameType, TracebackType
from typing import Any, Self

from tests.fuzz.limits import ROOT

_PRODUCT = f"{ROOT / 'collector'}/"


class NewLines:
    """While it is entered, notes lines of the product that have not run before.

    A function whose lines have all run is traced no more: after a while most of the product is at full speed.
    """

    def __init__(self) -> None:
        self._unseen: dict[CodeType, set[int]] = {}
        self.has_new = False
        self.count = 0
        """Lines seen so far."""

    def __enter__(self) -> Self:
        self.has_new = False
        sys.settrace(self._on_call)
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        sys.settrace(None)

    def _on_call(self, frame: FrameType, _event: str, _value: Any) -> Any:
        code = frame.f_code
        unseen = self._unseen.get(code)
        if unseen is None:
            is_ours = code.co_filename.startswith(_PRODUCT)
            unseen = {line for *_places, line in code.co_lines() if line} if is_ours else set()
            unseen.discard(code.co_firstlineno)
            self._unseen[code] = unseen
        return self._on_line if unseen else None

    def _on_line(self, frame: FrameType, event: str, _value: Any) -> Any:
        unseen = self._unseen[frame.f_code]
        if event == "line" and frame.f_lineno in unseen:
            unseen.discard(frame.f_lineno)
            self.has_new = True
            self.count += 1
        return self._on_line if unseen else None

"""Which files of the product a use case passes: who calls whom, and which are called at all."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tests.helpers.scripts import ROOT

PACKAGES = ("collector", "studio", "rule_editor")


def product_file(path: str) -> str:
    """The path within the project of a file of the product; empty for any other."""
    name = path.removeprefix(f"{ROOT}/")
    return name if name.split("/")[0] in PACKAGES else ""


class WalkTrace:
    """Files that were called, and the files on the stack at each call of a watched function."""

    def __init__(self) -> None:
        self.called: set[str] = set()
        self.stacks: set[tuple[str, ...]] = set()

    def watch(self, owner: type, name: str, replace: Callable[[type, str, Any], None]) -> None:
        """Keep the stack of each call of a method, with the file that defines it last."""
        real = getattr(owner, name)
        last = product_file(sys.modules[owner.__module__].__file__ or "")

        def call(*arguments: Any, **named: Any) -> Any:
            files = [*_files_above(sys._getframe(1)), last]
            self.stacks.add(tuple(path for at, path in enumerate(files) if path not in files[:at]))
            return real(*arguments, **named)

        replace(owner, name, call)

    @contextmanager
    def calls(self) -> Iterator[None]:
        """Note each file of the product that is called meanwhile, on any thread that begins meanwhile too."""

        def note(frame: FrameType, event: str, _argument: object) -> None:
            if event == "call" and (path := product_file(frame.f_code.co_filename)):
                self.called.add(path)

        before = sys.getprofile()
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(before)
            threading.setprofile(None)


def _files_above(frame: FrameType | None) -> list[str]:
    """The files of the product from the outermost call to ``frame``."""
    files = []
    while frame is not None:
        files.append(product_file(frame.f_code.co_filename))
        frame = frame.f_back
    return [path for path in reversed(files) if path]

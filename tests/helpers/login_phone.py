"""A phone in memory that shows an email and a password field, for what an agent types into them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace

from collector.device.errors import DumpFailed, InputDenied
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from tests.helpers.cycle_phone import PACKAGE, CyclePhone
from tests.helpers.dumps import hierarchy, node

EMAIL, PASSWORD = "email", "password"
PLACES = {EMAIL: Point(54, 10), PASSWORD: Point(54, 50)}


@dataclass
class LoginPhone(CyclePhone):
    """The fields are there from the start; a tap on one gives it the focus."""

    focus: str = ""
    email: str = ""
    password: str = ""
    moves_on: bool = False
    """The password field takes the focus after the first character."""
    is_unreadable: bool = False
    """No tree can be read once a field has the focus."""
    shows_password: bool = False
    """The password field shows its text, and is none to the tree."""
    refuses_text: bool = False
    asks_late: bool = False
    """The password field comes up when it gets the focus."""

    def snapshot(self, cancel: threading.Event) -> TreeSnapshot:
        if self.is_unreadable and self.focus:
            raise DumpFailed("no tree")
        dots = self.password if self.shows_password else "•" * len(self.password)
        fields = [self._field(EMAIL, self.email, 0)]
        if not self.asks_late or self.focus == PASSWORD:
            fields.append(self._field(PASSWORD, dots, 40))
        xml = hierarchy(node(*fields, package=PACKAGE, bounds="[0,0][108,240]")).encode()
        now = time.monotonic_ns()
        return replace(
            super().snapshot(cancel), xml=xml, tree=parse_tree(xml), started_ns=now, finished_ns=now
        )

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        if action is TouchAction.UP:
            rows = {place.y // 40: name for name, place in PLACES.items()}
            self.focus = rows.get(position.point.y // 40, self.focus)

    def text(self, text: str) -> None:
        if self.refuses_text:
            raise InputDenied(f"the phone cannot type {text}")
        for character in text:
            if character == "\t":
                self.focus = PASSWORD
            elif self.focus == PASSWORD:
                self.password += character
            else:
                self.email += character
            if self.moves_on:
                self.focus = PASSWORD

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        if 7 <= code <= 16:
            self.text(str(code - 7))

    def _field(self, name: str, text: str, top: int) -> str:
        is_password = name == PASSWORD and not self.shows_password
        return node(
            class_="android.widget.EditText", package=PACKAGE, text=text, clickable="true",
            bounds=f"[0,{top}][108,{top + 20}]", focused=str(self.focus == name).lower(),
            password=str(is_password).lower(),
        )  # fmt: skip

"""The keyboards that the phone knows: its own two, and those that automation tools install."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

Panel = Literal["letters", "letters_and_digits", "bar", "row"]
"""What a keyboard shows: letters with suggestions, letters below a row of digits, a bar with a text, or a
row of four keys."""


@dataclass(frozen=True, slots=True)
class Method:
    """One input method, by Android's id."""

    id: str
    label: str
    panel: Panel = "letters"
    system: bool = False
    """Whether it is part of the phone; the others come and go with their package."""

    @property
    def word(self) -> str:
        """The key of its name in the texts of the settings app."""
        return f"keyboard_{self.label.partition(' ')[0].lower()}"

    @property
    def package(self) -> str:
        return self.id.partition("/")[0]


LATIN = Method("com.android.inputmethod.latin/.LatinIME", "Android Keyboard", system=True)
COMPACT = Method(
    "com.waymark.keyboard/.CompactIME", "Compact Keyboard", panel="letters_and_digits", system=True
)
ADB_KEYBOARD = Method("com.android.adbkeyboard/.AdbIME", "ADB Keyboard", panel="bar")
UIAUTOMATOR_KEYBOARD = Method("com.github.uiautomator/.AdbKeyboard", "uiautomator2 Keyboard", panel="row")
SYSTEM_METHODS = (LATIN, COMPACT)
METHODS = (*SYSTEM_METHODS, ADB_KEYBOARD, UIAUTOMATOR_KEYBOARD)


def method(name: str) -> Method:
    """The method with this id; the default one for an unknown id."""
    return next((method for method in METHODS if method.id == name), LATIN)


def method_in_use(name: str, packages: Container[str]) -> Method:
    """The method with this id where its package is installed; else the default one."""
    return next((method for method in installed_methods(packages) if method.id == name), LATIN)


def installed_methods(packages: Container[str]) -> tuple[Method, ...]:
    """The methods of a phone with these packages, the system's first."""
    return tuple(method for method in METHODS if method.system or method.package in packages)

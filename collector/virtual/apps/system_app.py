"""What the apps have in common that come with Android itself."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from collector.virtual.ui.app import App
from collector.virtual.ui.content import texts_of

S = TypeVar("S")


class SystemApp(App[S]):
    """An app of the system: versioned as Android is, found by the search of apps, named in its texts."""

    version: ClassVar[str] = "15"
    version_code: ClassVar[int] = 35
    system: ClassVar[bool] = True
    on_home: ClassVar[bool] = False

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

"""Keep PySide from reading the source text of every module that is imported after it.

It looks for the word PySide6 in each, because a module that uses Qt may choose to spell Qt's names in
another way (``from __feature__ import snake_case``). No module here does. The texts would stay in memory:
12 MB of letters of 1,600 modules, and a tenth of the time of all imports.
"""

from __future__ import annotations

import linecache
import sys

_READER, _FUNCTION = "shibokensupport.feature", "_mod_uses_pyside"


def leave_unread() -> None:
    """From now on take every module for one that spells Qt's names as they are. Needs PySide imported.

    Texts that were read before are dropped: 537 modules are imported after PySide and before anybody can
    call this, with 15 MB of lines.
    """
    reader = sys.modules.get(_READER)
    if hasattr(reader, _FUNCTION):
        setattr(reader, _FUNCTION, lambda _module: False)
    linecache.clearcache()

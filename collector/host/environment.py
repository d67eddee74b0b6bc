"""The environment of this process and of all that it starts, without the current folder in any search path.

The current folder is often a project, and a project may come from anybody. An empty or relative entry in a
search path would let its files be loaded as modules, libraries, plug-ins, settings or programs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

SAFE_PATH = "PYTHONSAFEPATH"
"""Keeps Python from importing modules of the current folder, or of the folder of a script."""
BUNDLE = str(getattr(sys, "_MEIPASS", ""))
"""The libraries of a frozen program, put before those of the system by PyInstaller: not meant for others."""
_SEARCH_PATHS = frozenset((
    "PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH", "DYLD_FALLBACK_FRAMEWORK_PATH", "DYLD_INSERT_LIBRARIES", "GCONV_PATH", "LOCPATH",
    "QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "QML_IMPORT_PATH", "QML2_IMPORT_PATH", "QT_QPA_FONTDIR",
    "GIO_EXTRA_MODULES", "GIO_MODULE_DIR", "GTK_PATH", "GI_TYPELIB_PATH", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS",
    "LIBVA_DRIVERS_PATH", "LIBGL_DRIVERS_PATH", "VK_LAYER_PATH", "VK_ICD_FILENAMES",
))  # fmt: skip
"""Variables with folders or files, joined by colons (semicolons on Windows), that are searched for code."""
_PLACES = frozenset((
    "PYTHONHOME", "PYTHONUSERBASE", "PYTHONSTARTUP", "PYTHONPYCACHEPREFIX", "OPENSSL_CONF", "OPENSSL_MODULES",
    "OPENSSL_ENGINES", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "QT_LOGGING_CONF", "XKB_CONFIG_ROOT",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
    "ADBUTILS_ADB_PATH", "ANDROID_HOME", "ANDROID_SDK_ROOT",
))  # fmt: skip
"""Variables with one folder or file, from which code or settings are loaded."""


def safe_environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """A copy of an environment, by default of this process's, in which every search path is absolute.

    A variable that named nothing else is left out.
    """
    environment = dict(os.environ if given is None else given)
    for name, value in list(environment.items()):
        if BUNDLE and name.startswith("_PYI_"):
            kept = ""  # another start of this program would take the libraries for found
        elif name in _SEARCH_PATHS:
            kept = os.pathsep.join(entry for entry in absolute_entries(value) if entry != BUNDLE)
        elif name in _PLACES:
            kept = value if is_absolute(value) else ""
        elif name == "LD_PRELOAD":
            kept = " ".join(entry for entry in value.replace(":", " ").split() if _is_safe_library(entry))
        else:
            continue
        if kept:
            environment[name] = kept
        else:
            del environment[name]
    return environment


def make_environment_safe() -> None:
    """Make the environment of this process safe. Call it before a library starts a process by its own means.

    Once is not enough: OpenCV, on its import, adds an empty entry to LD_LIBRARY_PATH.
    """
    environment = safe_environment()
    for name in set(os.environ).difference(environment):
        del os.environ[name]
    os.environ.update(environment)
    if sys.platform == "win32":
        # The system itself would look for programs in the current folder first. Names are in any case there.
        os.environ["NODEFAULTCURRENTDIRECTORYINEXEPATH"] = "1"


def isolate_process() -> None:
    """Keep this process from loading files of the current folder. Call it first, in each entry point."""
    make_environment_safe()
    main = sys.modules.get("__main__")
    if not sys.flags.safe_path and getattr(main, "__spec__", None) is not None and sys.path:
        del sys.path[0]  # `python -m` puts the current folder there
    # Editable installs have entries that are no folders, for an import hook of their own.
    sys.path[:] = [entry for entry in sys.path if is_absolute(entry) or entry.endswith(".__path_hook__")]


def is_absolute(place: str) -> bool:
    """Whether a place is the same in every current folder; the empty one is not."""
    return Path(place).is_absolute()


def names_folder(program: str) -> bool:
    """Whether a program is named with its folder, as ``./adb`` is: nothing is searched for it."""
    return program != Path(program).name


def absolute_entries(search_path: str) -> list[str]:
    """The absolute entries of a search path: an empty one stands for the current folder."""
    return [entry for entry in search_path.split(os.pathsep) if is_absolute(entry)]


def _is_safe_library(entry: str) -> bool:
    """Whether a library is absolute, or searched in the folders of the system alone."""
    return is_absolute(entry) or not names_folder(entry)

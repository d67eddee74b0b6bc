"""A folder full of traps: files that leave a mark when a program loads them from the current folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from collector.host.environment import SAFE_PATH

_PACKAGES = (
    "PIL", "PySide6", "adbutils", "anyio", "av", "certifi", "click", "collector", "cv2", "dotenv", "google",
    "httpx", "importlib_metadata", "jsonschema", "keyring", "lxml", "msgpack", "numpy", "packaging",
    "pkg_resources", "pluggy", "psutil", "pyqtgraph", "ray", "regex", "requests", "rich",
    "rule_editor", "scrcpy", "setproctitle", "shiboken6", "skia", "sqlite_utils", "studio", "uiautomator2",
    "yaml",
)  # fmt: skip
"""Libraries of the product, and those that they look for."""
_PROGRAMS = (
    "adb", "adb.exe", "avdmanager", "dbus-send", "emulator", "env", "ffmpeg", "ffprobe", "gdbus", "git", "gs",
    "gsettings", "kde-open", "kreadconfig5", "node", "pip", "python", "python3", "ray", "scrcpy", "sh", "uv",
    "waymark", "xdg-mime", "xdg-open", "xdotool", "xset",
)  # fmt: skip
_PLUG_INS = ("waymark.verbs", "waymark.agents", "waymark.anomalies", "sqlite_utils", "keyring.backends")
_SETTINGS = {
    "qt.conf": "[Paths]\nPrefix = .\nPlugins = plugins\n[Platforms]\nWindowsArguments = x\n",
    "pyproject.toml": '[tool.uv]\nindex-url = "http://127.0.0.1:1"\n[build-system]\nrequires = ["nothing"]\n',
    "setup.cfg": "[options]\npackages = find:\n",
    "pyvenv.cfg": "home = /nowhere\ninclude-system-site-packages = true\n",
    ".env": "PYTHONPATH=.\nWAYMARK_HOME=trapped\nQT_QPA_PLATFORM=nothing\n",
    "ray.yaml": "cluster_name: trapped\n",
    "openssl.cnf": "openssl_conf = nothing\n",
    "fonts.conf": "<fontconfig><dir>.</dir></fontconfig>\n",
    "keyringrc.cfg": "[backend]\ndefault-keyring=trap.Keyring\nkeyring-path=.\n",
    "trap.pth": "import trap\n",
    "trap-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: trap\nVersion: 1\n",
    "trap-1.dist-info/entry_points.txt": "".join(f"[{group}]\ntrap = trap\n" for group in _PLUG_INS),
    "libc.so.6": "no library\n",
    "libQt6Core.so.6": "no library\n",
    "plugins/platforms/libqoffscreen.so": "no library\n",
}


def set_traps(folder: Path, marker: Path) -> None:
    """Lay the traps in ``folder``; each adds a line to ``marker`` once it is loaded or run."""
    modules = {name for name in sys.stdlib_module_names if not name.startswith("_")} | set(_PACKAGES)
    for name in sorted({*modules, "sitecustomize", "usercustomize", "trap"}):
        words = f"{name!r}, __file__, *__import__('sys').orig_argv[:4]"
        text = f"with open({str(marker)!r}, 'a') as _f: print({words}, file=_f)\n"
        (folder / f"{name}.py").write_text(text)
    for name in _PROGRAMS:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho program {name} >> '{marker}'\nexit 1\n")
        program.chmod(0o755)
    for name, text in _SETTINGS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def careless_environment() -> dict[str, str]:
    """The environment of a person who has the current folder on PATH, and nothing that guards Python."""
    # LD_LIBRARY_PATH is what OpenCV makes of it in this process.
    left_out = (SAFE_PATH, "LD_LIBRARY_PATH")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**kept, "PATH": os.pathsep.join([".", "", os.environ["PATH"]])}


def marks(marker: Path) -> list[str]:
    """What was loaded or run; empty when no trap was stepped into."""
    return marker.read_text("utf-8").splitlines() if marker.exists() else []

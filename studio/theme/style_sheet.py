"""Render the style sheet from ``assets/style/studio.qss`` and the tokens of a scheme."""

from __future__ import annotations

import hashlib
import string
import tempfile
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtGui import QColor

from collector.host.private_files import make_private_folder
from collector.host.user_folders import cache_folder
from collector.model.resources import asset
from studio.theme import icons
from studio.theme.tokens import tokens

# A style sheet takes images only from files: name in the template -> icon, colour, size.
_IMAGES = {
    "check": ("check", "on-fill", 12),
    "minus": ("minus", "on-fill", 12),
    "chevron-down": ("chevd", "text-2", 14),
    "chevron-right": ("chevr", "text-2", 14),
    "chevron-up-small": ("chevu", "text-2", 12),
    "chevron-down-small": ("chevd", "text-2", 12),
}


class _Template(string.Template):
    idpattern = r"[a-z][a-z0-9-]*"


def _image_folder() -> Path:
    folder = cache_folder() / "style"
    try:
        make_private_folder(folder)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="waymark-style-"))
    return folder


def _image_paths(colors: Mapping[str, QColor]) -> dict[str, str]:
    folder = _image_folder()
    paths = {}
    for name, (icon, tone, size) in _IMAGES.items():
        content = icons.svg(icon, colors, tone, size)
        # Named by content, so that two versions of the studio never overwrite each other.
        path = folder / f"{name}-{hashlib.sha256(content.encode()).hexdigest()[:12]}.svg"
        if not path.exists():
            path.write_text(content, encoding="utf-8", newline="\n")
        paths[f"picture-{name}"] = path.as_posix()
    return paths


def render(colors: Mapping[str, QColor]) -> str:
    """Return the style sheet. Raises KeyError for an unknown ``$name`` in the template."""
    values: dict[str, object] = {
        name: color.name(QColor.NameFormat.HexArgb) for name, color in colors.items()
    }
    font = tokens().group("font")
    values |= {f"font-{name.replace('_', '-')}": f"{size}px" for name, size in font["size"].items()}
    values["font-mono"] = ", ".join(f'"{family}"' for family in font["mono"])
    values |= {f"radius-{name}": f"{length}px" for name, length in tokens().group("radius").items()}
    values |= _image_paths(colors)
    return _Template(asset("style", "studio.qss").read_text(encoding="utf-8")).substitute(values)

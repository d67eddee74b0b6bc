"""Read the configured package index from the settings of pip and uv."""

from __future__ import annotations

import configparser
import os
import sys
from dataclasses import dataclass
from pathlib import Path

PYPI = "https://pypi.org/simple"


@dataclass(frozen=True)
class Index:
    """Addresses of package indexes; empty ``urls`` and ``find_links`` mean that none is configured."""

    urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    is_default: bool = True

    def uv_options(self) -> list[str]:
        """The index as options of ``uv pip install``."""
        options = ["--index-strategy", "unsafe-best-match"]
        if self.urls:
            options += ["--default-index", self.urls[0]]
        for url in self.urls[1:]:
            options += ["--index", url]
        for place in self.find_links:
            options += ["--find-links", place]
        return options


def configured() -> Index:
    """The index of the environment variables, or of pip's configuration files; PyPI precedes extra ones."""
    settings = _pip_settings()

    def setting(key: str, *names: str) -> str:
        values = (os.environ.get(name) for name in names)
        return next((value for value in values if value), settings.get(key, ""))

    main = setting("index-url", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL")
    extra = setting("extra-index-url", "UV_INDEX", "UV_EXTRA_INDEX_URL", "PIP_EXTRA_INDEX_URL").split()
    links = setting("find-links", "UV_FIND_LINKS", "PIP_FIND_LINKS").split()
    is_default = not main or main.rstrip("/") == PYPI
    if is_default and not extra and not links:
        return Index()
    return Index((main or PYPI, *extra), tuple(links), is_default)


def _pip_settings() -> dict[str, str]:
    settings: dict[str, str] = {}
    for path in _pip_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, OSError, UnicodeDecodeError):
            continue  # pip reports the error; the environment variables still count
        for section in ("global", "install"):
            if parser.has_section(section):
                settings.update(parser.items(section))
    return settings


def _pip_files() -> list[Path]:
    """Configuration files of pip in its order: a later file overrides an earlier one."""
    home = Path.home()
    if sys.platform == "win32":
        places = [Path(os.environ.get("PROGRAMDATA", "C:/ProgramData")) / "pip", home / "pip"]
        places.append(Path(os.environ.get("APPDATA", home)) / "pip")
        files = [place / "pip.ini" for place in places]
    else:
        config = Path(os.environ.get("XDG_CONFIG_HOME", home / ".config"))
        files = [Path("/etc/pip.conf"), home / ".pip/pip.conf", config / "pip/pip.conf"]
        if sys.platform == "darwin":
            files.insert(1, home / "Library/Application Support/pip/pip.conf")
    named = os.environ.get("PIP_CONFIG_FILE")
    return [*files, Path(named)] if named else files

"""The profiles there are: those of the studio in ``assets/phones``, and the person's own in the data folder.

A person's own profile counts instead of each of the studio's, wherever it fits.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from collector.host.user_folders import data_folder
from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import NOWHERE, Diagnostic
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.phone_profiles.profile import (
    NO_PROFILE,
    DeviceProfile,
    PhoneNames,
)
from collector.phone_profiles.reader import ProfileText, read_profile

PHONES = "phones"
"""Folder of profiles, in the assets and in the person's data folder."""
_LARGEST = 100_000
_LIKE_NO_OTHER = "Waymark"
"""The maker that a virtual phone names unless it is like a phone of another."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_log = logging.getLogger(__name__)


def own_folder() -> Path:
    """Where a person keeps profiles of their own."""
    return data_folder() / PHONES


@lru_cache(maxsize=1)
def built_in_names() -> tuple[str, ...]:
    """The names of the studio's profiles, in order."""
    return tuple(sorted(path.stem for path in asset(PHONES).glob("*.yaml")))


def own_names() -> tuple[str, ...]:
    """The names of the person's own profiles, in order."""
    folder = own_folder()
    found = folder.glob("*.yaml") if folder.is_dir() else ()
    return tuple(sorted(path.stem for path in found if is_profile_name(path.stem)))


def is_profile_name(text: str) -> bool:
    """Whether a file of profiles may be called so: letters, digits, ``_`` and ``-``."""
    return _NAME.fullmatch(text) is not None


def find_profile(phone: PhoneNames) -> DeviceProfile:
    """The profile that fits a phone most closely, the person's own first; an empty one when none does.

    A file of the person's own that cannot be read is left out, and logged. Reads the disk.
    """
    if phone.manufacturer == _LIKE_NO_OTHER:
        return NO_PROFILE
    for profiles in (_own_profiles(), map(_built_in, built_in_names())):
        fitting = [(profile.match.strength(phone), profile) for profile in profiles]
        best = max((strength for strength, _profile in fitting), default=0)
        if best:
            return next(profile for strength, profile in fitting if strength == best)
    return NO_PROFILE


def profile_called(name: str) -> DeviceProfile:
    """The profile of a name, the person's own before the studio's. Raises UserError."""
    what = _("There is no profile {name}", name=name)
    if name in own_names():
        path = own_folder() / f"{name}.yaml"
        read = read_own(path)
        for error in read.errors:
            where = f"{path.name}:{error.place.line}: {error.sentence}"
            raise UserError(_("The profile {name} cannot be used", name=name), where)
        return read.profile
    if name in built_in_names():
        return _built_in(name)
    known = (*own_names(), *built_in_names())
    close = nearest(name, known)
    to_do = (
        _("Did you mean {word}?", word=close) if close else _("Use one of: {known}", known=", ".join(known))
    )
    raise UserError(what, "", to_do)


def read_own(path: Path) -> ProfileText:
    """The profile of a file, with what is wrong with it. Never raises."""
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError(_("it is larger than 100 kB"))
        return read_profile(path.read_text(encoding="utf-8"), path.stem, str(path))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        found: Diagnostic = diagnostic("yaml-syntax", NOWHERE, _("The file cannot be read"), why)
        return ProfileText(DeviceProfile(path.stem), (replace(found, path=str(path)),))


def _own_profiles() -> Iterator[DeviceProfile]:
    for name in own_names():
        read = read_own(own_folder() / f"{name}.yaml")
        if read.errors:
            _log.info("the profile %s is left out: %s", name, read.errors[0].sentence)
        else:
            yield read.profile


@lru_cache(maxsize=64)
def _built_in(name: str) -> DeviceProfile:
    text = asset(PHONES, f"{name}.yaml").read_text(encoding="utf-8")
    return replace(read_profile(text, name).profile, is_built_in=True)

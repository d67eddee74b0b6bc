"""The anomalies of the palette: search, filter and order them, and say why one cannot be injected; no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.anomalies.model import CATEGORIES, COMPANION_KIND, NATIVE, Anomaly
from collector.model.i18n import N_, _

ALL = ""
_CATEGORY_ICONS = {
    "System Resource": "cpu",
    "System Network": "wifi",
    "App Malfunction": "appi",
    "Permission Control": "lock",
    "UX Disruption": "layers",
}
_INNER = ("_log_event", "_log_tag")
"""Endings of parameters that connect a dialog to its answers; people do not edit them."""


@dataclass(frozen=True, slots=True)
class AnomalyEntry:
    """An anomaly of the built-in library (``own``) or of the project."""

    anomaly: Anomaly
    own: bool = True

    @property
    def title(self) -> str:
        return self.anomaly.description or self.anomaly.id


@dataclass(frozen=True, slots=True)
class AnomalyQuery:
    """What the palette searches for; an empty field matches everything."""

    text: str = ""
    category: str = ALL
    kind: str = ALL
    language: str = ALL
    buttons: str = ALL


@dataclass(frozen=True, slots=True)
class InjectTarget:
    """What is known of the phone to inject into."""

    phone: bool = False
    android: int = 0
    """Major version; 0 while unknown."""
    companion: bool = True
    obstacle: str = ""
    """What lies on top of the app, in words."""
    busy: str = ""
    """What else injects into the phone, in a sentence."""


def category_words(category: str) -> str:
    """A category as people read it; the form of an anomaly marks them for translation."""
    return _(category)


def category_icon(category: str) -> str:
    """Name of the icon of a category."""
    return _CATEGORY_ICONS.get(category, "zap")


def kind_words(anomaly: Anomaly) -> str:
    """Describe the kind of an anomaly; a dialog by its buttons."""
    if anomaly.kind == NATIVE:
        return _("changes the phone")
    words = {0: _("dialog to be closed"), 1: _("dialog, 1 button"), 2: _("dialog, 2 buttons")}
    return words.get(anomaly.buttons) or _("dialog, {count} buttons", count=anomaly.buttons)


def versions_words(anomaly: Anomaly) -> str:
    """Return the Android versions of an anomaly; empty for all."""
    own = str(anomaly.versions)
    return own or ", ".join(filter(None, (str(commands.versions) for commands in anomaly.native)))


def shown_parameters(anomaly: Anomaly) -> list[str]:
    """Return the names of the parameters that people may edit."""
    return [parameter.name for parameter in anomaly.parameters if not parameter.name.endswith(_INNER)]


_PARAMETERS = {
    "param_title": N_("Title"),
    "param_message": N_("Message"),
    "param_button_text": N_("Button"),
    "param_allow_btn_text": N_("Accepting button"),
    "param_accept_btn_text": N_("Accepting button"),
    "param_deny_btn_text": N_("Refusing button"),
    "param_reject_btn_text": N_("Refusing button"),
    "param_manage_btn_text": N_("Managing button"),
    "param_duration_seconds": N_("Seconds"),
    "param_hangs_at": N_("Hangs at percent"),
    "param_version": N_("Version"),
    "param_forced": N_("Forced"),
    "param_percent": N_("Percent"),
    "param_long": N_("Shown longer"),
    "param_full_screen": N_("Full screen"),
    "param_close_after_seconds": N_("Close mark after seconds"),
    "param_close_size": N_("Size of the close mark"),
    "param_close_position": N_("Place of the close mark"),
    "param_returns": N_("Comes back"),
    "param_return_seconds": N_("Seconds until then"),
    "param_chain": N_("Next dialogs"),
    "param_back": N_("Back closes it"),
    "title": N_("Title"),
    "text": N_("Text"),
    "level": N_("Percent"),
    "status": N_("Severity"),
    "scale": N_("Text size"),
    "number": N_("Phone number"),
    "language": N_("Language"),
    "permission": N_("Permission"),
}


def parameter_words(name: str) -> str:
    """Return the label of a parameter; without a known label its name: ``image_res`` is ``Image res``."""
    if name in _PARAMETERS:
        return _(_PARAMETERS[name])
    words = name.removeprefix("param_").replace("_btn_text", " button").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def languages_of(entries: Iterable[AnomalyEntry]) -> list[str]:
    """Return the languages of the entries in order."""
    return sorted({entry.anomaly.language for entry in entries} - {""})


def matches(entry: AnomalyEntry, query: AnomalyQuery) -> bool:
    """Tell whether an entry matches a query."""
    anomaly = entry.anomaly
    if query.category and anomaly.category != query.category:
        return False
    if query.kind and anomaly.kind != query.kind:
        return False
    if query.language and anomaly.language not in ("", query.language):
        return False
    if query.buttons and (anomaly.kind != COMPANION_KIND or str(anomaly.buttons) != query.buttons):
        return False
    text = _searched(entry)
    return all(word in text for word in query.text.casefold().split())


def ordered(
    entries: Sequence[AnomalyEntry], query: AnomalyQuery, recent: Sequence[str]
) -> list[AnomalyEntry]:
    """Return the matching entries: recent ones first, then those of the project, then the built-in ones."""
    ranks = {name: rank for rank, name in enumerate(recent)}
    matching = [entry for entry in entries if matches(entry, query)]
    return sorted(matching, key=lambda entry: (ranks.get(entry.anomaly.id, len(ranks)), entry.own))


def reason_against(anomaly: Anomaly, target: InjectTarget) -> str:
    """Say why an anomaly cannot be injected now; empty when nothing known prevents it."""
    if not target.phone:
        return _("No phone is in use: connect one, or start a virtual phone")
    if target.busy:
        return target.busy
    if target.android and target.android not in anomaly.versions:
        return _("Not for Android {version}", version=target.android)
    if anomaly.kind == NATIVE and target.android and anomaly.commands_for(target.android) is None:
        return _("Its commands are not for Android {version}", version=target.android)
    return _("{what} lies on top: answer it first", what=target.obstacle) if target.obstacle else ""


def needs_companion(anomaly: Anomaly, target: InjectTarget) -> bool:
    """Whether the companion app has to be installed first, which is offered."""
    return anomaly.kind != NATIVE and target.phone and not target.companion


def _searched(entry: AnomalyEntry) -> str:
    anomaly = entry.anomaly
    texts = [
        anomaly.id, anomaly.description, anomaly.category, category_words(anomaly.category), anomaly.kind,
        *(answer.button for answer in anomaly.answers), anomaly.value("param_title"),
    ]  # fmt: skip
    return " ".join(texts).casefold()


CATEGORY_CHOICES = (ALL, *CATEGORIES)

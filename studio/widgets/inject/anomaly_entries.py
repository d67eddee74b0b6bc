"""What the palette lists: searched, filtered, ordered, and told why something cannot be had; no Qt."""

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
"""Ends of parameters that wire a dialog to its answers; they are no matter of taste."""


@dataclass(frozen=True, slots=True)
class AnomalyEntry:
    """An anomaly that is offered, of the studio's own library or the project's."""

    anomaly: Anomaly
    own: bool = True

    @property
    def title(self) -> str:
        return self.anomaly.description or self.anomaly.id


@dataclass(frozen=True, slots=True)
class AnomalyQuery:
    """What is looked for; an empty field asks for nothing."""

    text: str = ""
    category: str = ALL
    kind: str = ALL
    language: str = ALL
    buttons: str = ALL


@dataclass(frozen=True, slots=True)
class InjectTarget:
    """The phone something would be injected into, as far as it is known; it is not asked."""

    phone: bool = False
    android: int = 0
    """Major version; 0 while nobody knows."""
    companion: bool = True
    obstacle: str = ""
    """What lies on top, in words."""
    busy: str = ""
    """Who else injects into it, in a sentence."""


def category_words(category: str) -> str:
    """A category as people read it; the form of an anomaly marks them for translation."""
    return _(category)


def category_icon(category: str) -> str:
    """Name of the icon of a category."""
    return _CATEGORY_ICONS.get(category, "zap")


def kind_words(anomaly: Anomaly) -> str:
    """What it is, by its buttons when it is a dialog."""
    if anomaly.kind == NATIVE:
        return _("changes the phone")
    words = {0: _("dialog to be closed"), 1: _("dialog, 1 button"), 2: _("dialog, 2 buttons")}
    return words.get(anomaly.buttons) or _("dialog, {count} buttons", count=anomaly.buttons)


def versions_words(anomaly: Anomaly) -> str:
    """The Android versions it is for; empty for all."""
    own = str(anomaly.versions)
    return own or ", ".join(filter(None, (str(one.versions) for one in anomaly.native)))


def shown_parameters(anomaly: Anomaly) -> list[str]:
    """Names of the parameters a person may want to change."""
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
    """A parameter as a label; one nobody has words for by its name: ``image_res`` is ``Image res``."""
    if name in _PARAMETERS:
        return _(_PARAMETERS[name])
    words = name.removeprefix("param_").replace("_btn_text", " button").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def languages_of(entries: Iterable[AnomalyEntry]) -> list[str]:
    """Languages of the words shown, in order."""
    return sorted({entry.anomaly.language for entry in entries} - {""})


def suits(entry: AnomalyEntry, wish: AnomalyQuery) -> bool:
    """Whether an entry is among what is looked for."""
    anomaly = entry.anomaly
    if wish.category and anomaly.category != wish.category:
        return False
    if wish.kind and anomaly.kind != wish.kind:
        return False
    if wish.language and anomaly.language not in ("", wish.language):
        return False
    if wish.buttons and (anomaly.kind != COMPANION_KIND or str(anomaly.buttons) != wish.buttons):
        return False
    text = _searched(entry)
    return all(word in text for word in wish.text.casefold().split())


def ordered(entries: Sequence[AnomalyEntry], wish: AnomalyQuery, recent: Sequence[str]) -> list[AnomalyEntry]:
    """What suits: lately used first, then the project's own, then as the libraries have them."""
    ranks = {name: rank for rank, name in enumerate(recent)}
    found = [entry for entry in entries if suits(entry, wish)]
    return sorted(found, key=lambda one: (ranks.get(one.anomaly.id, len(ranks)), one.own))


def reason_against(anomaly: Anomaly, place: InjectTarget) -> str:
    """Why it cannot be injected now, in a sentence; empty when it can, as far as is known."""
    if not place.phone:
        return _("No phone is in use: connect one, or start a virtual phone")
    if place.busy:
        return place.busy
    if place.android and place.android not in anomaly.versions:
        return _("Not for Android {version}", version=place.android)
    if anomaly.kind == NATIVE:
        if place.android and anomaly.commands_for(place.android) is None:
            return _("Its commands are not for Android {version}", version=place.android)
    elif not place.companion:
        return _("The companion app is not on this phone")
    return _("{what} lies on top: answer it first", what=place.obstacle) if place.obstacle else ""


def _searched(entry: AnomalyEntry) -> str:
    anomaly = entry.anomaly
    texts = [
        anomaly.id, anomaly.description, anomaly.category, category_words(anomaly.category), anomaly.kind,
        *(answer.button for answer in anomaly.answers), anomaly.value("param_title"),
    ]  # fmt: skip
    return " ".join(texts).casefold()


CATEGORY_CHOICES = (ALL, *CATEGORIES)

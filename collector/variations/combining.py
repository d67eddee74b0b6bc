"""What several variations make of a phone together, and where they contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from collector.model.variation.noise import NO_NOISE, Noise
from collector.model.variation.phone_variation import ALL_APPS, DEFAULT, Appearance, PhoneVariation, PopUp
from collector.model.variation.planted_order import PlantedOrder
from collector.model.variation.plus_merge import PLUS, merged
from collector.variations.names import VariationPart
from collector.variations.reader import VariationText

_OF_PHONE = ("theme", "text_scale", "orientation")
"""Keys of an appearance that the phone's own settings have, too: an app follows those."""
_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """What one part of a combination changes, by app; ``all`` stands for the others."""

    part: VariationPart
    appearance: Mapping[str, Mapping[str, Any]]
    content: Mapping[str, tuple[Mapping[str, Any], ...]]
    pop_ups: Mapping[str, tuple[Mapping[str, Any], ...]]
    noise: Mapping[str, Mapping[str, Any]]
    orders: tuple[PlantedOrder, ...] = ()

    @property
    def apps(self) -> set[str]:
        return {
            *self.appearance,
            *self.content,
            *self.pop_ups,
            *self.noise,
            *(order.app for order in self.orders),
        }


def effect_of(part: VariationPart, chain: Sequence[VariationText]) -> Effect:
    """What a part changes: ``chain`` is its own file, behind those that it extends."""
    appearance: dict[str, Mapping[str, Any]] = {}
    content: dict[str, tuple[Mapping[str, Any], ...]] = {}
    pop_ups: dict[str, tuple[Mapping[str, Any], ...]] = {}
    noise: dict[str, Mapping[str, Any]] = {}
    orders: dict[str, PlantedOrder] = {}
    for text in chain:
        for app, look in text.appearance.items():
            appearance[app] = merged(appearance.get(app, {}), look)
        for app, patch in text.content.items():
            content[app] = (*content.get(app, ()), patch)
        for key, listed in text.pop_ups.items():
            app = key.removeprefix(PLUS)
            pop_ups[app] = (*(pop_ups.get(app, ()) if key.startswith(PLUS) else ()), *listed)
        for app, values in text.noise.items():
            noise[app] = {**noise.get(app, {}), **values}
        orders |= {item["id"]: PlantedOrder.of(item) for item in text.orders}
    if not part.app:
        return Effect(part, appearance, content, pop_ups, noise, tuple(orders.values()))
    general = {key: value for key, value in appearance.get(ALL_APPS, {}).items() if key != "orientation"}
    own = appearance.get(part.app, {})
    colours = {**general.get("colours", {}), **own.get("colours", {})}
    return Effect(
        part,
        _nonempty(part.app, {**general, **own, **_nonempty("colours", colours)}),
        _nonempty(part.app, (*content.get(ALL_APPS, ()), *content.get(part.app, ()))),
        _nonempty(part.app, (*pop_ups.get(ALL_APPS, ()), *pop_ups.get(part.app, ()))),
        _nonempty(part.app, {**noise.get(ALL_APPS, {}), **noise.get(part.app, {})}),
        tuple(order for order in orders.values() if order.app == part.app),
    )


def _nonempty(key: str, value: Any) -> dict[str, Any]:
    return {key: value} if value else {}


def combined(name: str, effects: Sequence[Effect]) -> PhoneVariation:
    """All effects together: those of all apps first, then those of single apps."""
    apps = sorted({ALL_APPS, *(app for effect in effects for app in effect.apps), *_plain_apps(effects)})
    appearance = {app: _appearance(app, effects) for app in apps}
    look_of_apps = replace(appearance[ALL_APPS], theme="", text_scale=0.0, orientation="")
    content = {app: _content(app, effects) for app in apps}
    pop_ups = {app: _pop_ups(app, effects) for app in apps}
    noise = {app: _noise(app, effects) for app in apps}
    return PhoneVariation(
        name,
        _needed(appearance, Appearance(), look_of_apps),
        _needed(content, (), content[ALL_APPS]),
        _needed(pop_ups, (), pop_ups[ALL_APPS]),
        _needed(noise, NO_NOISE, noise[ALL_APPS]),
        _orders(effects),
    )


def _orders(effects: Sequence[Effect]) -> tuple[PlantedOrder, ...]:
    """Those of all parts in the order of their ids, without those in apps that ``default`` frees."""
    free = _plain_apps(effects)
    found = {order.id: order for effect in effects for order in effect.orders
             if effect.part.app or order.app not in free}  # fmt: skip
    return tuple(found[name] for name in sorted(found))


def _plain_apps(effects: Iterable[Effect]) -> set[str]:
    """The apps for which ``default`` is named: nothing that is said of all holds for them."""
    return {effect.part.app for effect in effects if effect.part.name == DEFAULT and effect.part.app}


def _needed(values: Mapping[str, Any], plain: Any, of_apps: Any) -> dict[str, Any]:
    """Without the apps that are as all are, which is ``of_apps``."""
    general = values[ALL_APPS]
    kept = {app: value for app, value in values.items() if app != ALL_APPS and value != of_apps}
    return kept if general == plain else {ALL_APPS: general, **kept}


def _levels(app: str, effects: Sequence[Effect]) -> Iterator[tuple[str, Effect]]:
    """Where an app finds what holds for it: general before special, so that the special counts."""
    unscoped = [effect for effect in effects if not effect.part.app]
    if app not in _plain_apps(effects):
        yield from ((ALL_APPS, effect) for effect in unscoped)
        if app != ALL_APPS:
            yield from ((app, effect) for effect in unscoped)
    yield from ((app, effect) for effect in effects if effect.part.app == app)


def _appearance(app: str, effects: Sequence[Effect]) -> Appearance:
    values: dict[str, Any] = {}
    for level, effect in _levels(app, effects):
        found = effect.appearance.get(level, {})
        if app != ALL_APPS and level == ALL_APPS:
            found = {key: value for key, value in found.items() if key not in _OF_PHONE}
        colours = {**values.get("colours", {}), **found.get("colours", {})}
        values |= {**found, "colours": colours}
    if app in _plain_apps(effects):
        values = {"theme": "light", "text_scale": 1.0, **values}
    return Appearance.of(values)


def _noise(app: str, effects: Sequence[Effect]) -> Noise:
    values: dict[str, Any] = {}
    for level, effect in _levels(app, effects):
        values |= effect.noise.get(level, {})
    return Noise.of(values)


def _content(app: str, effects: Sequence[Effect]) -> tuple[Mapping[str, Any], ...]:
    return tuple(patch for level, effect in _levels(app, effects) for patch in effect.content.get(level, ()))


def _pop_ups(app: str, effects: Sequence[Effect]) -> tuple[PopUp, ...]:
    by_id = {pop_up["id"]: PopUp.of(pop_up) for level, effect in _levels(app, effects)
             for pop_up in effect.pop_ups.get(level, ())}  # fmt: skip
    return tuple(by_id.values())


# ---- contradictions ------------------------------------------------------------------------------


def contradiction(effects: Sequence[Effect]) -> tuple[VariationPart, VariationPart, str] | None:
    """Two parts of the same apps that set a value differently, and its key; None when there are none."""
    for first, second in combinations(effects, 2):
        if first.part.app == second.part.app:
            for app in sorted(first.apps & second.apps):
                key = _crossing(_settings(first, app), _settings(second, app))
                if key:
                    return first.part, second.part, ".".join((app, *key))
    return None


def _settings(effect: Effect, app: str) -> dict[_Path, Any]:
    """What is set, by its path."""
    found: dict[_Path, Any] = {}
    for key, value in effect.appearance.get(app, {}).items():
        if key == "colours":
            found |= {("colours", role): colour for role, colour in value.items()}
        else:
            found[key,] = value
    for patch in effect.content.get(app, ()):
        found |= dict(_paths(patch, ()))
    for pop_up in effect.pop_ups.get(app, ()):
        found["pop_ups", pop_up["id"]] = pop_up
    found |= {("noise", key): value for key, value in effect.noise.get(app, {}).items()}
    found |= {("orders", order.id): order for order in effect.orders if order.app == app}
    return found


def _paths(patch: Mapping[str, Any], where: _Path) -> Iterator[tuple[_Path, Any]]:
    for key, value in patch.items():
        path = (*where, key.removeprefix(PLUS))
        if not key.startswith(PLUS):
            yield path, value
        elif isinstance(value, Mapping):
            yield from _paths(value, path)
        else:
            yield from _item_paths(value, path)


def _item_paths(items: Any, where: _Path) -> Iterator[tuple[_Path, Any]]:
    """The paths of what is added to a list; items without an id never cross each other."""
    yield (*where, PLUS), PLUS
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping) and "id" in item:
            inner = {key: value for key, value in item.items() if key != "id"}
            yield from _paths(inner, (*where, str(item["id"])))


def _crossing(first: Mapping[_Path, Any], second: Mapping[_Path, Any]) -> _Path:
    """The first path on which two variations disagree; empty when they can be combined."""
    for path, value in first.items():
        for other, theirs in second.items():
            shorter = min(len(path), len(other))
            if path[:shorter] == other[:shorter] and (len(path) != len(other) or value != theirs):
                return path[:shorter]
    return ()

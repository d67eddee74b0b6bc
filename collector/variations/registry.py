"""The variations there are: those of the studio in ``assets/variations``, and a project's own.

A project's file of the same name counts instead of the studio's, and may extend it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import NOWHERE, Diagnostic
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.model.variation.phone_variation import ALL_APPS, DEFAULT, VARIATIONS, PhoneVariation
from collector.variations.combining import Effect, combined, contradiction, effect_of
from collector.variations.content_types import content_apps
from collector.variations.merged_content import problem_in
from collector.variations.names import VariationPart, canonical, is_name, parts_of
from collector.variations.reader import VariationText, read_variation

_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class VariationFile:
    """A variation that a file describes. ``path`` as messages name it."""

    name: str
    file: Path
    path: str
    is_built_in: bool
    text: VariationText

    @property
    def description(self) -> str:
        """One sentence for people; that of a built-in one in their language."""
        text = self.text.description
        return _(text) if self.is_built_in and text else text


class Variations:
    """The variations of a project, or without one those of the studio, read when they are asked for."""

    def __init__(self, project: Path | None = None, texts: Mapping[str, str] | None = None) -> None:
        """``texts`` go before the files of the project, by name: they are being edited."""
        self._folder = project / VARIATIONS if project is not None else None
        self._texts = texts or {}
        self._read: dict[tuple[str, bool], VariationFile | None] = {}
        self._fitting: dict[tuple[str, tuple[int, ...]], tuple[Mapping[str, Any], ...]] = {}
        """Patches that fit together, by app and their identities: combinations share them."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in order."""
        return tuple(sorted({*built_in_names(), *self.own_names}))

    @property
    def own_names(self) -> tuple[str, ...]:
        """Those that are files of the project."""
        found = self._folder.glob("*.yaml") if self._folder is not None and self._folder.is_dir() else ()
        return tuple(sorted(path.stem for path in found if path.is_file() and is_name(path.stem)))

    @property
    def misnamed(self) -> tuple[Diagnostic, ...]:
        """One for each file of the project's folder that is not read for its name."""
        folder = self._folder
        files = folder.iterdir() if folder is not None and folder.is_dir() else ()
        found = []
        for file in sorted(files):
            if file.name.startswith(".") or (file.suffix == ".yaml" and is_name(file.stem)):
                continue
            what = _("Nothing reads this file: a variation is called by letters, digits, _, - and .yaml")
            problem = diagnostic("unknown-variation", NOWHERE, what, to_do=_("Rename the file"))
            found.append(replace(problem, path=f"{VARIATIONS}/{file.name}"))
        return tuple(found)

    def text_of(self, name: str) -> str | None:
        """The text of a file that is being edited; None for any other."""
        return self._texts.get(name)

    def file(self, name: str, *, built_in: bool = False) -> VariationFile | None:
        """The file of a name; None when there is none. With ``built_in`` never the project's."""
        key = (name, built_in)
        if key not in self._read:
            self._read[key] = self._find(name, built_in=built_in)
        return self._read[key]

    def _find(self, name: str, *, built_in: bool) -> VariationFile | None:
        if not is_name(name):
            return None
        own = self._folder / f"{name}.yaml" if self._folder is not None and not built_in else None
        if own is not None and own.is_file():
            path, text = f"{VARIATIONS}/{own.name}", self._texts.get(name)
            read = _read_own(own, path) if text is None else read_variation(text, path)
            return VariationFile(name, own, path, False, read)
        if name not in built_in_names():
            return None
        file = asset(VARIATIONS, f"{name}.yaml")
        return VariationFile(name, file, file.name, True, _read_built_in(file))

    def diagnostics(self, name: str) -> tuple[Diagnostic, ...]:
        """Everything that is wrong with a file, what it extends among it."""
        file = self.file(name)
        if file is None:
            return ()
        try:
            chain = self._chain(file)
        except UserError as error:
            place = file.text.extends_place
            found = diagnostic("unknown-variation", place, str(error))
            return (*file.text.diagnostics, replace(found, path=file.path))
        return (*file.text.diagnostics, *_content_diagnostics(file, chain))

    def factors(self, name: str) -> tuple[str, ...]:
        """Which of appearance, content, pop_ups and noise a variation changes; none of one that is wrong."""
        effect = self._effect(name)
        factors = {
            "appearance": effect.appearance, "content": effect.content, "pop_ups": effect.pop_ups,
            "noise": effect.noise,
        }  # fmt: skip
        return tuple(factor for factor, by_app in factors.items() if any(by_app.values()))

    def apps(self, name: str) -> tuple[str, ...]:
        """The apps that a variation changes, ``all`` for the others."""
        return tuple(sorted(self._effect(name).apps))

    def _effect(self, name: str) -> Effect:
        part = VariationPart("", name)
        try:
            return effect_of(part, self._chain_of(part, ""))
        except UserError:
            return Effect(part, {}, {}, {}, {})

    # ---- resolve ----------------------------------------------------------------------------------

    def resolve(self, text: str) -> PhoneVariation:
        """What a combination makes of a phone.

        Raises UserError for what is no combination, a variation that is unknown or wrong, an unknown app,
        parts that contradict each other, and content that does not fit together.
        """
        variation = self._combined(text, _cannot_be_used(text))
        for problem in self._unfit(variation).values():
            raise UserError(_cannot_be_used(text), problem, _("Correct what adds to it, or what replaces it"))
        return variation

    def unfit_content(self, text: str) -> dict[str, str]:
        """Why the content of an app does not fit together, by app. Raises UserError as :meth:`resolve`."""
        return self._unfit(self._combined(text, _cannot_be_used(text)))

    def _unfit(self, variation: PhoneVariation) -> dict[str, str]:
        problems = {}
        for app in variation.content:
            patches = variation.content_of(app)
            key = (app, tuple(map(id, patches)))
            if key in self._fitting:
                continue
            if problem := _content_problem(app, patches):
                problems[app] = problem
            else:
                self._fitting[key] = patches
        return problems

    def _combined(self, text: str, what: str) -> PhoneVariation:
        """A combination whose content need not fit together."""
        try:
            parts = parts_of(text)
        except ValueError as error:
            raise UserError(what, str(error)) from None
        known = content_apps()
        for part in parts:
            if part.app and part.app not in known:
                raise UserError(
                    what,
                    _("the phone has no app {word}", word=part.app),
                    _("Use one of: {known}", known=", ".join(known)),
                )
        effects = [effect_of(part, self._chain_of(part, what)) for part in parts]
        for effect in effects:
            if effect.part.app and effect.part.name != DEFAULT and not effect.apps:
                raise UserError(what, _("{name} changes nothing of {app} alone", name=effect.part.name,
                                        app=effect.part.app))  # fmt: skip
        crossed = contradiction(effects)
        if crossed is not None:
            first, second, key = crossed
            why = _("{first} and {second} both set {key}", first=first, second=second, key=key)
            raise UserError(what, why, _("Leave out one of them"))
        return combined(canonical(text), effects)

    def _chain_of(self, part: VariationPart, what: str) -> tuple[VariationText, ...]:
        """What a part says, from what is extended first to its own file."""
        if part.name == DEFAULT:
            return ()
        file = self.file(part.name)
        if file is None:
            raise UserError(
                what, _("there is no variation {word}", word=part.name), _suggested(part.name, self.names)
            )
        chain = self._chain(file)
        for link in chain:
            for error in link.text.errors:
                raise UserError(what, f"{link.path}:{error.place.line}: {error.sentence}")
        return tuple(link.text for link in chain)

    def _chain(self, file: VariationFile) -> list[VariationFile]:
        """A file after those that it extends. Raises UserError for an unknown one, and a circle."""
        chain = [file]
        while chain[0].text.extends not in ("", DEFAULT):
            name = chain[0].text.extends
            # A project's file may extend the built-in one whose name it has.
            found = self.file(name, built_in=name == chain[0].name and not chain[0].is_built_in)
            if found is None and name == file.name:
                raise UserError(_("{name} extends itself: {path}", name=file.path, path=f"{name} > {name}"))
            if found is None:
                why = _("there is no variation {word}", word=name)
                raise UserError(_("{name} extends {word}", name=chain[0].path, word=name), why,
                                _suggested(name, self.names))  # fmt: skip
            if found in chain:
                path = " > ".join(link.name for link in (found, *chain))
                raise UserError(_("{name} extends itself: {path}", name=file.path, path=path))
            chain.insert(0, found)
        return chain


@lru_cache(maxsize=1)
def built_in_names() -> tuple[str, ...]:
    """The names of the studio's variations, in order."""
    return tuple(sorted(path.stem for path in asset(VARIATIONS).glob("*.yaml")))


@lru_cache(maxsize=128)
def _read_built_in(file: Path) -> VariationText:
    return read_variation(file.read_text(encoding="utf-8"), file.name)


def _read_own(file: Path, path: str) -> VariationText:
    try:
        size = file.stat().st_size
        if size > _LARGEST:
            raise ValueError(_("it is larger than 1 MB"))
        return read_variation(file.read_text(encoding="utf-8"), path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        found = diagnostic("yaml-syntax", NOWHERE, _("The file cannot be read"), why)
        return VariationText(diagnostics=(replace(found, path=path),))


def _content_diagnostics(file: VariationFile, chain: list[VariationFile]) -> Iterator[Diagnostic]:
    """What is wrong with the content of a file once it is merged onto that of the files it extends."""
    if len(chain) == 1 or any(link.text.errors for link in chain):
        return  # each file says what is wrong with it alone
    for app, place in file.text.content_places.items():
        patches = [link.text.content[app] for link in chain if app in link.text.content]
        if problem := _content_problem(app, patches):
            yield replace(diagnostic("unfit-content", place, problem), path=file.path)


def _cannot_be_used(text: str) -> str:
    return _("The variation {name} cannot be used", name=text)


def _content_problem(app: str, patches: Iterable[Mapping[str, Any]]) -> str:
    return problem_in(app, patches) if app != ALL_APPS else ""


def _suggested(word: str, known: Iterable[str]) -> str:
    near = nearest(word, tuple(known))
    return _("Did you mean {word}?", word=near) if near else _("`waymark variations list` shows them")

"""How the form of an experiment chooses variations: as a list, each with each, or a sample of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from collector.model.seeds import DEFAULT_SEED
from collector.run.experiment.keys import DEFAULT_WORD
from collector.variations.combination import by_factor
from collector.variations.registry import Variations
from studio.bridge.runs.experiment_reading import LoadedExperiment


class VariationMode(Enum):
    """What is run of the ticked variations."""

    LISTED = "listed"
    """Each by itself."""
    CROSSED = "crossed"
    """One appearance, content, kind of pop-ups and noise, in every combination."""
    SAMPLED = "sampled"
    """Some of these combinations, drawn with a seed."""


@dataclass(frozen=True, slots=True)
class VariationChoiceForm:
    """What the form shows and writes. ``names`` are the ticked variations; empty is the phone as it is."""

    mode: VariationMode
    names: tuple[str, ...]
    sample: int = 0
    seed: int = DEFAULT_SEED

    def with_tick(self, name: str, *, is_on: bool) -> VariationChoiceForm:
        """The form after a tick was set or removed."""
        kept = tuple(known for known in self.names if known != name)
        return replace(self, names=(*kept, name) if is_on else kept)

    def value(self, known: Variations) -> Any:
        """The value of the key ``variations``; None for the phone as it is."""
        words = [name or DEFAULT_WORD for name in self.names]
        if self.mode is VariationMode.LISTED or not words:
            return None if words in ([], [DEFAULT_WORD]) else words
        crossed = {"crossed": _by_factor(words, known)}
        if self.mode is VariationMode.CROSSED:
            return crossed
        seed = {} if self.seed == DEFAULT_SEED else {"seed": self.seed}
        return {**crossed, "sample": self.sample, **seed}


def variation_form(loaded: LoadedExperiment) -> VariationChoiceForm:
    """The form of an experiment's file; one that no form writes is shown as the list of what it comes to."""
    written = loaded.file.root.plain.get("variations")
    form = _of_mapping(written) if isinstance(written, Mapping) else None
    return form or VariationChoiceForm(VariationMode.LISTED, loaded.experiment.variations)


def _of_mapping(written: Mapping[str, Any]) -> VariationChoiceForm | None:
    lists, sample, seed = written.get("crossed"), written.get("sample"), written.get("seed", DEFAULT_SEED)
    if not {"crossed", "sample", "seed"}.issuperset(written) or not _are_lists(lists):
        return None
    words = dict.fromkeys(str(word) for names in lists or () for word in names)
    names = tuple("" if word == DEFAULT_WORD else word for word in words)
    if sample is None:
        return VariationChoiceForm(VariationMode.CROSSED, names)
    if not isinstance(sample, int) or not isinstance(seed, int):
        return None
    return VariationChoiceForm(VariationMode.SAMPLED, names, sample, seed)


def _are_lists(lists: object) -> bool:
    return isinstance(lists, list) and all(isinstance(names, list) for names in lists)


def _by_factor(words: Sequence[str], known: Variations) -> list[list[str]]:
    """A list a factor of which something is ticked, each after the default where that is ticked. What changes
    several factors, as a combination does, has a list of its own."""
    factor_of = {name: factor for factor, names in by_factor(known).items() for name in names}
    lists: dict[str, list[str]] = {}
    for word in words:
        if word != DEFAULT_WORD:
            lists.setdefault(factor_of.get(word, ""), []).append(word)
    default = [DEFAULT_WORD] * (DEFAULT_WORD in words)
    order = [*dict.fromkeys(factor_of.values()), ""]
    return [[*default, *lists[factor]] for factor in order if factor in lists] or [[DEFAULT_WORD]]

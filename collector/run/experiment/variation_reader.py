"""Read the variations of an experiment: a list, parts one at a time, lists crossed, or a sample of them."""

from __future__ import annotations

from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.variation.phone_variation import DEFAULT
from collector.run.experiment.keys import EXPERIMENT, MOST_VARIATIONS, VARIATION_CHOICE, key_of
from collector.run.experiment.value_reader import ExperimentValueReader
from collector.variations.combination import crossed_size, crossed_versions, default_lists, sampled_versions
from collector.variations.names import parts_of
from collector.variations.registry import Variations


def read_variations(
    reader: ExperimentValueReader, root: YamlNode, known: Variations
) -> tuple[str, ...]:  # fmt: skip
    """Canonical names in the order in which they are written, each once; empty for the phone as it is."""
    node = reader.found(root, "variations")
    if node is None:
        return ("",)
    choice = _VariationChoice(reader, known)
    names = (
        choice.of_mapping(node)
        if node.kind == "mapping"
        else choice.resolved(reader.words(root, EXPERIMENT, "variations"))
    )
    return tuple(dict.fromkeys("" if name == DEFAULT else name for name in names)) or ("",)


class _VariationChoice:
    """Reads one key ``variations``. Reports what cannot be used."""

    def __init__(self, reader: ExperimentValueReader, known: Variations) -> None:
        self._reader, self._known = reader, known

    def resolved(self, items: list[YamlNode]) -> list[str]:
        """The canonical names of the combinations that can be used."""
        names = []
        for item in items:
            try:
                names.append(self._known.resolve(item.text).name)
            except UserError as error:
                self._reader.report("unknown-name", item.place, error.what, error.why, error.to_do)
        return names

    def of_mapping(self, node: YamlNode) -> list[str]:
        reader = self._reader
        reader.check_mapping(node, VARIATION_CHOICE)
        sample, seed = (reader.whole(node, VARIATION_CHOICE, key) for key in ("sample", "seed"))
        names = self.resolved(reader.words(node, VARIATION_CHOICE, "names"))
        names += self._alone(node)
        lists = self._lists(node)
        is_sampled = node.get("sample") is not None
        if is_sampled and sample is not None and lists != []:
            usual = key_of(VARIATION_CHOICE, "seed").default
            drawn_from = lists or default_lists(self._known)
            names += self._sample(node, drawn_from, sample, usual if seed is None else seed)
        elif lists and not is_sampled:
            names += self._crossed(node, lists)
        if node.get("seed") is not None and not is_sampled:
            what = _("{key} has no effect here", key="seed")
            reader.report("unknown-setting", node.place, what, _("It belongs to {needed}", needed="sample"))
        if not any(node.get(key) for key in ("names", "one_at_a_time", "crossed", "sample")):
            what = _("variations names no variation")
            to_do = _("Write {key}: {example}", key="sample", example="500")
            reader.report("empty-selection", node.place, what, "", to_do)
        return names

    def _alone(self, node: YamlNode) -> list[str]:
        """The phone as it is, then each part of the combinations by itself."""
        items = self._reader.words(node, VARIATION_CHOICE, "one_at_a_time")
        names = [DEFAULT] * bool(items)
        for item in items:
            if self.resolved([item]):
                names += [self._known.resolve(str(part)).name for part in parts_of(item.text)]
        return names

    def _lists(self, node: YamlNode) -> list[list[str]] | None:
        """The lists that are crossed; None without the key, none when one of them cannot be used."""
        value = self._reader.found(node, "crossed")
        if value is None:
            return None
        if value.kind != "sequence" or any(item.kind != "sequence" for item in value.items):
            what = _("crossed is a list of lists of variations")
            example = key_of(VARIATION_CHOICE, "crossed").example
            to_do = _("Write {key}: {example}", key="crossed", example=example)
            self._reader.wrong_shape(value, what, to_do)
            return []
        lists = [self._list(item) for item in self._reader.entries(value, "crossed")]
        return lists if all(lists) else []

    def _list(self, node: YamlNode) -> list[str]:
        spec = key_of(VARIATION_CHOICE, "crossed")
        items = [item for item in self._reader.entries(node, "crossed") if self._reader.is_word(item, spec)]
        return self.resolved(self._reader.without_repeats(items, "crossed"))

    def _crossed(self, node: YamlNode, lists: list[list[str]]) -> list[str]:
        place = (node.key("crossed") or node).place
        count = crossed_size(lists)
        if count > MOST_VARIATIONS:
            what = _("The lists have {count} combinations", count=f"{count:,}")
            why = _("The limit is {limit}", limit=f"{MOST_VARIATIONS:,}")
            to_do = _("Draw some of them with {key}: {example}", key="sample", example="500")
            self._reader.report("too-many-cells", place, what, why, to_do)
            return []
        try:
            return crossed_versions(self._known, lists)
        except UserError as error:
            self._reader.report("unknown-name", place, error.what, error.why, error.to_do)
            return []

    def _sample(self, node: YamlNode, lists: list[list[str]], count: int, seed: int) -> list[str]:
        names = sampled_versions(self._known, lists, count, seed)
        if len(names) < count:
            value = node.get("sample")
            place = (value if value is not None else node).place
            what = _(
                "sample is {count}, and the lists have {most} combinations", count=count, most=len(names)
            )
            to_do = _("Make it smaller, or cross more variations with {key}", key="crossed")
            self._reader.report("out-of-range", place, what, "", to_do)
        return names

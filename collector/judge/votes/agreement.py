"""How far judges agree: in percent, with kappa, and with precision and recall against a reference.

Cohen 1960 for two judges, Fleiss 1971 for more; precision, recall, F1 and accuracy as in A3, Table 2.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

Vote = Hashable
"""A verdict; votes are the same when they are equal."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far judges agree on the subjects they all judged."""

    subjects: int
    """Number of subjects that count."""
    percent: float | None
    """Share of the pairs of judges that agree, 0 to 100; None without a subject."""
    kappa: float | None
    """1 for full agreement, 0 for the agreement of chance; None where chance alone gives full agreement."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Counts of a judge's verdicts against those of a reference."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0
    true_negatives: int = 0

    @property
    def subjects(self) -> int:
        return self.true_positives + self.false_positives + self.false_negatives + self.true_negatives

    @property
    def precision(self) -> float | None:
        """Share of the judge's positive verdicts that the reference shares; None when there are none."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float | None:
        """Share of the reference's positive verdicts that the judge shares; None when there are none."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None when neither has a positive verdict."""
        doubled = 2 * self.true_positives
        return _share(doubled, doubled + self.false_positives + self.false_negatives)

    @property
    def accuracy(self) -> float | None:
        """Share of the verdicts that are the same; None without a subject."""
        return _share(self.true_positives + self.true_negatives, self.subjects)


def agreement(votes: Sequence[Mapping[str, Vote]]) -> Agreement:
    """The agreement of all judges who voted, over the subjects in ``votes`` (judge -> verdict).

    Two judges are compared by Cohen's kappa, more by Fleiss'. Subjects that a judge left out do not count.
    """
    judges = sorted({judge for subject in votes for judge in subject})
    whole = [[subject[judge] for judge in judges] for subject in votes if len(subject) == len(judges)]
    if len(judges) < 2 or not whole:
        return Agreement(0, None, None)
    if len(judges) == 2:
        first, second = ([pair[at] for pair in whole] for at in (0, 1))
        agreeing: float = sum(map(operator.eq, first, second))
        kappa = cohen_kappa(first, second)
    else:
        counts = list(map(Counter, whole))
        agreeing, kappa = sum(map(_agreeing_pairs, counts)), fleiss_kappa(counts)
    return Agreement(len(whole), 100 * agreeing / len(whole), kappa)


def cohen_kappa(first: Sequence[Vote], second: Sequence[Vote]) -> float | None:
    """Cohen's kappa of two judges' votes on the same subjects, in the same order.

    None without a subject, and when both give one and the same verdict throughout. Raises ValueError when
    they are not equally many.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} votes are not on the same subjects")
    count = len(first)
    if not count:
        return None
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / count
    firsts, seconds = Counter(first), Counter(second)
    expected = sum(firsts[vote] * seconds[vote] for vote in firsts) / count**2
    return _above_chance(observed, expected)


def fleiss_kappa(counts: Sequence[Mapping[Vote, int]]) -> float | None:
    """Fleiss' kappa: of each subject how many judges gave each verdict, the same number of judges for all.

    None without a subject, and when all give one and the same verdict throughout. Raises ValueError when the
    numbers of judges differ or are under two.
    """
    if not counts:
        return None
    judges = sum(counts[0].values())
    if judges < 2 or any(sum(row.values()) != judges for row in counts):
        raise ValueError("each subject needs the same number of judges, two or more")
    total: Counter[Vote] = Counter()
    for row in counts:
        total.update(row)
    observed = sum(map(_agreeing_pairs, counts)) / len(counts)
    expected = sum((number / (len(counts) * judges)) ** 2 for number in total.values())
    return _above_chance(observed, expected)


def quality(pairs: Sequence[tuple[bool, bool]]) -> Quality:
    """The counts of a judge against a reference; each pair is the judge's verdict and the reference's."""
    counts = Counter(pairs)
    return Quality(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


def _agreeing_pairs(row: Mapping[Vote, int]) -> float:
    """Share of the pairs of judges of a subject that agree."""
    judges = sum(row.values())
    return sum(number * (number - 1) for number in row.values()) / (judges * (judges - 1))


def _above_chance(observed: float, expected: float) -> float | None:
    # The sums that give exactly 1 are of whole numbers, but their order may leave the last bit different.
    return None if expected > 1 - 1e-12 else (observed - expected) / (1 - expected)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None

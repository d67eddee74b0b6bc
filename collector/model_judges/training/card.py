"""The card of a data set: what is in it, where it comes from, and under which licence."""

from __future__ import annotations

from collector import __version__
from collector.model_judges.methods.windows_judge import WindowsJudge
from collector.model_judges.training.samples import MINED, SampleChoice, SampleCounts
from collector.trainer_files.card import card_text, table


def judge_card(
    judge: WindowsJudge, counts: SampleCounts, choice: SampleChoice, form: str, licence: str, left_out: int
) -> str:
    """The card as Markdown. In English in every language."""
    kinds = ("positive", "negative", MINED)
    rows = [
        (side, *(counts.samples[side, kind] for kind in kinds), counts.tasks.get(side, 0),
         counts.trajectories.get(side, 0))
        for side in choice.split.shares
    ]  # fmt: skip
    mined = f"`{choice.negatives_of}` said yes and people no" if choice.negatives_of else "none were mined"
    paragraphs = [
        f"Written by Waymark Studio {__version__} in the form `{form}`. Each sample is one "
        "question about one essential state in one window of screens, as the judge "
        f"`{judge.name}` ({judge.version}) is asked: {judge.size} screens, {judge.interval} apart, "
        f"prompt `{judge.prompt.name}`. The answer is that of people.", "",
        table(("Side", "Positive", "Negative", "Mined negative", "Tasks", "Trajectories"), rows), "",
        f"Split by {choice.split.by} (seed {choice.split.seed}): no trajectory is on both sides. "
        f"Positives to train with are repeated {choice.repeat} times in the file; the table counts "
        f"each once. Mined negatives: {mined}. Left out: {left_out} with a screen that cannot be seen, "
        f"{counts.split_people} states that people are split on.", "",
        table(("App", "Samples"), sorted(counts.apps.items())),
    ]  # fmt: skip
    return card_text("Windows of screens and essential states", paragraphs, licence=licence)

"""The card of a data set: what is in it, where it comes from, and under which licence."""

from __future__ import annotations

from collector import __version__
from collector.model_judges.training.samples import MINED, SampleChoice, SampleCounts
from collector.model_judges.windows_judge import WindowsJudge


def card_text(
    judge: WindowsJudge, counts: SampleCounts, choice: SampleChoice, form: str, licence: str, left_out: int
) -> str:
    """The card as Markdown, with the head that dataset hubs read. In English in every language."""
    rows = [
        f"| {side} | {counts.samples[side, 'positive']} | {counts.samples[side, 'negative']} | "
        f"{counts.samples[side, MINED]} | {counts.tasks.get(side, 0)} | {counts.trajectories.get(side, 0)} |"
        for side in choice.split.shares
    ]
    apps = [f"| {app} | {count} |" for app, count in sorted(counts.apps.items())]
    mined = f"`{choice.negatives_of}` said yes and people no" if choice.negatives_of else "none were mined"
    return "\n".join(
        [
            "---", f"license: {licence or 'unknown'}", "task_categories:", "- image-text-to-text", "---", "",
            "# Windows of screens and essential states", "",
            f"Written by Waymark Studio {__version__} in the form `{form}`. Each sample is one "
            "question about one essential state in one window of screens, as the judge "
            f"`{judge.name}` ({judge.version}) is asked: {judge.size} screens, {judge.interval} apart, "
            f"prompt `{judge.prompt.name}`. The answer is that of people.", "",
            "| Side | Positive | Negative | Mined negative | Tasks | Trajectories |",
            "|---|---|---|---|---|---|", *rows, "",
            f"Split by {choice.split.by} (seed {choice.split.seed}): no trajectory is on both sides. "
            f"Positives to train with are repeated {choice.repeat} times in the file; the table counts "
            f"each once. Mined negatives: {mined}. Left out: {left_out} with a screen that cannot be seen, "
            f"{counts.split_people} states that people are split on.", "",
            "| App | Samples |", "|---|---|", *apps, "",
            "Screenshots show apps whose makers may hold rights in them. The licence above is what the "
            "person who wrote the data set said."
            if licence
            else
            "Nobody said under which licence the screenshots may be passed on: ask before you do.", "",
        ]
    )  # fmt: skip

"""``waymark trajectory judge``: a person's verdict on a trajectory, by its command line."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.trajectory import find_to_change, in_project
from collector.cli.verb_groups import trajectory
from collector.host.user_folders import user_name
from collector.judge.person_judge import PERSON_VERDICTS, judge_as_person, take_verdict_back
from collector.model.episode_text import verdict_text
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.judgement_codec import judgement_to_line


@trajectory.command()
@click.argument("reference")
@click.option("--verdict", type=click.Choice(PERSON_VERDICTS), help="What you say of the trajectory.")
@click.option("--reason", default="", help="Why, in a sentence.")
@click.option("--who", default="", help="Your name; your user name by default.")
@click.option("--take-back", is_flag=True, help="Remove your newest verdict; the one before it counts again.")
@in_project
@json_option
def judge(
    reference: str, verdict: str | None, reason: str, who: str, take_back: bool, folder: Path, as_json: bool
) -> None:
    """Judge a trajectory as a person; your newest verdict counts."""
    if (verdict is None) == (not take_back):
        raise UserError(
            _("A trajectory is judged, or a verdict is taken back"), "", _("Use --verdict or --take-back")
        )
    place, who = find_to_change(reference, folder), who or user_name()
    if verdict is not None:
        judgement = judge_as_person(place, who, verdict, reason)
    else:
        judgement = take_verdict_back(place, who)
    if as_json:
        print_json({"folder": str(place), "taken_back": take_back, "judgement": judgement_to_line(judgement)})
        return
    values = {"who": judgement.judge, "verdict": verdict_text(judgement.verdict), "name": place.name}
    if take_back:
        say(_("{who} took back the verdict {verdict} on {name}", **values))
    else:
        say(_("{who} judged {name}: {verdict}", **values))

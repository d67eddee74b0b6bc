"""The options of exports to train with, as the formats declare them, and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from collector.agents.agent import MODALITIES, SCREENSHOT, SCREENSHOT_AND_TREE, TREE
from collector.agents.translators.registry import DIALECTS
from collector.exchange.exports.exported_part import ExportedPart
from collector.model.i18n import N_
from collector.plugins.options import PluginOption

if TYPE_CHECKING:
    from collector.agents.openai.chat_options import ConversationOptions  # loads numpy

STEPS, WHOLE, GROUNDING, PREFERENCES = "steps", "trajectories", "grounding", "preferences"
CORRECTIONS = "corrections"
CONTENTS = (STEPS, WHOLE, GROUNDING, PREFERENCES, CORRECTIONS)
"""What a sample is. A correction is a step of a run with the action that a reviewer says is better."""
SAID, DESCRIBED, NOTHING = "said", "described", "none"
THOUGHTS = (SAID, DESCRIBED, NOTHING)
"""Which thoughts are written: what agents and people said, else the description of a step, or none."""
SHOWN, RECORDED = "shown", "recorded"
BOX, TAP = "box", "tap"
_ALL_IMAGES = 1_000_000


_CONTENT_TITLES = (
    N_("single steps"), N_("whole trajectories"), N_("where elements are"), N_("better and worse actions"),
    N_("corrected steps"),
)  # fmt: skip


def content_option(kind: type, contents: Sequence[str], default: object, about: str) -> PluginOption:
    """The option that says what a sample is."""
    titles = dict(zip(CONTENTS, _CONTENT_TITLES, strict=True))
    return PluginOption(
        "content", kind, default, about, choices=tuple(contents), title=N_("Samples"),
        choice_titles=tuple(titles[each] for each in contents),
    )  # fmt: skip


def sample_options(contents: Sequence[str] = CONTENTS) -> tuple[PluginOption, ...]:
    """The options of a format that holds these contents; the first is the default."""
    return (
        content_option(str, contents, contents[0], N_("What a sample is")),
        *shared_options(),
    )


def shared_options() -> tuple[PluginOption, ...]:
    """The options of every format to train with."""
    return (
        PluginOption("dialect", str, "qwen2.5-vl", N_("How the model answers"), choices=tuple(DIALECTS),
                     title=N_("Dialect")),
        PluginOption("prompt", str, None,
                     N_("A built-in prompt or a file of the project; usually the dialect's"),
                     title=N_("Prompt")),
        PluginOption("sees", str, None,
                     N_("What it is shown; usually the screenshot, with marks the tree too, T3A the tree"),
                     choices=MODALITIES, title=N_("The model sees")),
        PluginOption("history", int, None,
                     N_("How many past steps are shown as text, usually 5; -1 for all"),
                     least=-1, title=N_("Past steps")),
        PluginOption("history_images", int, None, N_("How many past screenshots are shown"), least=0,
                     title=N_("Past screenshots")),
        PluginOption("thoughts", str, SAID,
                     N_("Thoughts before answers: what was said, else described steps, or none"),
                     choices=THOUGHTS, title=N_("Thoughts"),
                     choice_titles=(N_("as said"), N_("as said, else described"), N_("none"))),
        PluginOption("pictures", str, SHOWN,
                     N_("Pictures as the model is shown them, resized, or the files as recorded"),
                     choices=(SHOWN, RECORDED), title=N_("Pictures"),
                     choice_titles=(N_("as the model is shown them"), N_("as recorded"))),
        PluginOption("image_max_pixels", int, 0,
                     N_("The most pixels of a picture; 0 for what the model keeps"), least=0,
                     title=N_("Pixels at most")),
        PluginOption("grounding_answer", str, BOX,
                     N_("Where an element is: its box, or a tap in the dialect"), choices=(BOX, TAP),
                     title=N_("Where an element is"), choice_titles=(N_("its box"), N_("a tap"))),
        PluginOption("license", str, "", N_("Licence of the data set, for its card"), title=N_("Licence")),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SampleOptions:
    """The options, checked."""

    shown: ConversationOptions
    """What the model is shown, and its dialect."""
    sees: str
    thoughts: str
    pictures: str
    grounding_answer: str
    licence: str
    places_apart: bool = False
    """Whether the form writes places beside the text."""

    @property
    def keeps_files(self) -> bool:
        """Whether pictures are written as they were recorded."""
        return self.pictures == RECORDED


def _usually_seen(shown: ConversationOptions, content: str) -> str:
    """What a model sees that is asked by this prompt: T3A's needs the elements, and shows no screen."""
    if shown.picture.marks:
        return SCREENSHOT_AND_TREE
    return TREE if shown.prompt.needs("tree") and content != GROUNDING else SCREENSHOT


def read_sample_options(part: ExportedPart, content: str, *, places_apart: bool = False) -> SampleOptions:
    """The options of an export. Raises UserError for a prompt that cannot be used."""
    from collector.agents.openai.chat_options import read_conversation

    given: Mapping[str, Any] = part.options
    names = ("dialect", "prompt", "history", "history_images", "image_max_pixels")
    asked = {name: given[name] for name in names}
    if content == WHOLE:  # all of it is in the messages
        asked |= {"history": 0, "history_images": 0}
    shown = read_conversation(asked, part.project)
    if content == WHOLE:
        from dataclasses import replace

        shown = replace(shown, history_images=_ALL_IMAGES)
    sees = given["sees"] or _usually_seen(shown, content)
    return SampleOptions(
        shown, sees, given["thoughts"], given["pictures"], given["grounding_answer"],
        given["license"], places_apart,
    )  # fmt: skip

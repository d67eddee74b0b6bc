"""The options of the agent ``openai``, as an experiment may write them."""

from __future__ import annotations

from collector.agents.openai.chat_history import PARTS
from collector.agents.screen_elements import LIST_STYLES
from collector.agents.translators.registry import DIALECTS
from collector.endpoint.endpoint_options import ENDPOINT_OPTIONS
from collector.model.i18n import N_
from collector.plugins.options import PluginOption

OPTIONS = (
    *ENDPOINT_OPTIONS,
    PluginOption("dialect", str, None, N_("How the model answers; by default what the prompt says"),
                 choices=tuple(DIALECTS)),
    PluginOption("prompt", str, None,
                 N_("A built-in prompt or a file of the project; usually the dialect's")),
    PluginOption("temperature", float, 0.0, N_("Temperature; below 0 sends none")),
    PluginOption("max_tokens", int, 1024, N_("The most tokens of an answer; 0 sends no limit"),
                 other_names=("max_new_tokens", "max_output_tokens", "max_completion_tokens")),
    PluginOption("seed", int, None, N_("Seed that is sent with each request")),
    PluginOption("send_seed", bool, False, N_("Send the seed of the episode")),
    PluginOption("history", int, None, N_("How many past steps are shown as text, usually 5; -1 for all")),
    PluginOption("history_of", list, None, N_("What of a past step is shown"), choices=PARTS),
    PluginOption("history_images", int, None, N_("How many past screenshots are shown")),
    PluginOption("grid", bool, None, N_("Draw D-GARA's red grid, every 100 pixels")),
    PluginOption("set_of_marks", bool, None, N_("Draw numbered boxes around elements that can be touched")),
    PluginOption("tree", str, None, N_("How the list of elements is written"), choices=LIST_STYLES),
    PluginOption("tree_limit", int, 8000, N_("The most characters of the list of elements")),
    PluginOption("image_max_pixels", int, 0, N_("The most pixels of a picture; 0 for what the model keeps")),
    PluginOption("quality", int, 0, N_("Quality of JPEG, 1 to 100; 0 sends PNG")),
)  # fmt: skip

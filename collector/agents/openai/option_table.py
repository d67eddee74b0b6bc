"""The options of the agent ``openai``, as an experiment may write them."""

from __future__ import annotations

from collector.agents.openai.chat_history import PARTS
from collector.agents.screen_elements import LIST_STYLES
from collector.agents.translators.registry import DIALECTS
from collector.model.i18n import N_
from collector.plugins.options import PluginOption

DEFAULT_ADDRESS = "https://api.openai.com/v1"

OPTIONS = (
    PluginOption("model", str, None, N_("Name of the model, as the endpoint knows it"), required=True),
    PluginOption("base_url", str, DEFAULT_ADDRESS, N_("Address of the endpoint, up to /v1 as a rule")),
    PluginOption("dialect", str, None, N_("How the model answers; by default what the prompt says"),
                 choices=tuple(DIALECTS)),
    PluginOption("prompt", str, None,
                 N_("A built-in prompt or a file of the project; usually the dialect's")),
    PluginOption("key", str, "", N_("Name of the key in the keyring, or in WAYMARK_KEY_NAME")),
    PluginOption("key_env", str, "", N_("Environment variable that holds the key")),
    PluginOption("key_header", str, "Authorization", N_("Header that carries the key, such as api-key")),
    PluginOption("temperature", float, 0.0, N_("Temperature; below 0 sends none")),
    PluginOption("max_tokens", int, 1024, N_("The most tokens of an answer; 0 sends no limit")),
    PluginOption("seed", int, None, N_("Seed that is sent with each request")),
    PluginOption("send_seed", bool, False, N_("Send the seed of the episode")),
    PluginOption("timeout_s", float, 120.0, N_("Seconds that an answer may take")),
    PluginOption("retries", int, 3, N_("Further attempts when the endpoint fails")),
    PluginOption("history", int, None, N_("How many past steps are shown as text, usually 5; -1 for all")),
    PluginOption("history_of", list, None, N_("What of a past step is shown"), choices=PARTS),
    PluginOption("history_images", int, None, N_("How many past screenshots are shown")),
    PluginOption("grid", bool, None, N_("Draw D-GARA's red grid, every 100 pixels")),
    PluginOption("set_of_marks", bool, None, N_("Draw numbered boxes around elements that can be touched")),
    PluginOption("tree", str, None, N_("How the list of elements is written"), choices=LIST_STYLES),
    PluginOption("tree_limit", int, 8000, N_("The most characters of the list of elements")),
    PluginOption("image_max_pixels", int, 0, N_("The most pixels of a picture; 0 for what the model keeps")),
    PluginOption("quality", int, 0, N_("Quality of JPEG, 1 to 100; 0 sends PNG")),
    PluginOption("price_input", float, None, N_("USD for a million tokens of input")),
    PluginOption("price_output", float, None, N_("USD for a million tokens of output")),
    PluginOption("query", dict, None, N_("Words after the ? of the address, such as api-version")),
    PluginOption("body", dict, None, N_("Further fields of each request; null removes one")),
)  # fmt: skip

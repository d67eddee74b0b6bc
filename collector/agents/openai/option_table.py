"""The options of the agent ``openai``, as an experiment may write them."""

from __future__ import annotations

from collector.agents.kinds import AgentOption
from collector.agents.openai.chat_history import PARTS
from collector.agents.screen_elements import LIST_STYLES
from collector.agents.translators.registry import DIALECTS
from collector.model.i18n import N_

DEFAULT_ADDRESS = "https://api.openai.com/v1"

OPTIONS = (
    AgentOption("model", str, None, N_("Name of the model, as the endpoint knows it"), required=True),
    AgentOption("base_url", str, DEFAULT_ADDRESS, N_("Address of the endpoint, up to /v1 as a rule")),
    AgentOption("dialect", str, None, N_("How the model answers; by default what the prompt says"),
                choices=tuple(DIALECTS)),
    AgentOption("prompt", str, None, N_("A built-in prompt or a file of the project; usually the dialect's")),
    AgentOption("key", str, "", N_("Name of the key in the keyring, or in WAYMARK_KEY_NAME")),
    AgentOption("key_env", str, "", N_("Environment variable that holds the key")),
    AgentOption("key_header", str, "Authorization", N_("Header that carries the key, such as api-key")),
    AgentOption("temperature", float, 0.0, N_("Temperature; below 0 sends none")),
    AgentOption("max_tokens", int, 1024, N_("The most tokens of an answer; 0 sends no limit")),
    AgentOption("seed", int, None, N_("Seed that is sent with each request")),
    AgentOption("send_seed", bool, False, N_("Send the seed of the episode")),
    AgentOption("timeout_s", float, 120.0, N_("Seconds that an answer may take")),
    AgentOption("retries", int, 3, N_("Further attempts when the endpoint fails")),
    AgentOption("history", int, None, N_("How many past steps are shown as text, usually 5; -1 for all")),
    AgentOption("history_of", list, None, N_("What of a past step is shown"), choices=PARTS),
    AgentOption("history_images", int, None, N_("How many past screenshots are shown")),
    AgentOption("grid", bool, None, N_("Draw D-GARA's red grid, every 100 pixels")),
    AgentOption("set_of_marks", bool, None, N_("Draw numbered boxes around elements that can be touched")),
    AgentOption("tree", str, None, N_("How the list of elements is written"), choices=LIST_STYLES),
    AgentOption("tree_limit", int, 8000, N_("The most characters of the list of elements")),
    AgentOption("image_max_pixels", int, 0, N_("The most pixels of a picture; 0 for what the model keeps")),
    AgentOption("quality", int, 0, N_("Quality of JPEG, 1 to 100; 0 sends PNG")),
    AgentOption("price_input", float, None, N_("USD for a million tokens of input")),
    AgentOption("price_output", float, None, N_("USD for a million tokens of output")),
    AgentOption("query", dict, None, N_("Words after the ? of the address, such as api-version")),
    AgentOption("body", dict, None, N_("Further fields of each request; null removes one")),
)  # fmt: skip

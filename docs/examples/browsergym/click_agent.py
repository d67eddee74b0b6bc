"""An agent as BrowserGym has them, at work on a phone: it clicks what is named most like the goal.

It knows nothing of phones: it reads ``goal``, ``axtree_txt`` and ``last_action_error``, and answers with
BrowserGym's actions. Run it with a task, of a project or built in; it prints what it does and the reward:

    python docs/examples/browsergym/click_agent.py code-add-folder
    python docs/examples/browsergym/click_agent.py shop-13 my-project
"""

from __future__ import annotations

import re
import sys
from typing import Any

from phone_as_browser import PhoneAsBrowser

_LINE = re.compile(r"\[(\w+)\] (\w+) (['\"])(.*?)\3(?: value=(['\"])(.*?)\5)?(?:,|$)", re.MULTILINE)
_QUOTED = re.compile(r'"([^"]+)"')
_SAVING = {"save", "add", "send", "create", "done", "ok"}
_MOST_STEPS = 20


class ClickAgent:
    """Fills fields with what the goal quotes, saves, and else clicks the most alike name, each once."""

    def __init__(self) -> None:
        self._done: set[str] = set()

    def obs_preprocessor(self, obs: dict[str, Any]) -> dict[str, Any]:
        """What the agent looks at, of all that there is."""
        return {name: obs[name] for name in ("goal", "axtree_txt", "last_action_error")}

    def get_action(self, obs: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The next action, as a call, and what there is to say about it."""
        goal, elements = obs["goal"], _LINE.findall(obs["axtree_txt"])
        fields = [(bid, value) for bid, role, _quote, _name, _quote2, value in elements if role == "textbox"]
        for text in _QUOTED.findall(goal):
            if fields and text not in self._done:
                self._done.add(text)
                return f"fill({fields[0][0]!r}, {text!r})", {"think": "a field for what is quoted"}
        buttons = [(bid, name) for bid, role, _quote, name, *_rest in elements if role != "StaticText"]
        wanted = _SAVING if fields and _QUOTED.search(goal) else _words(_QUOTED.sub("", goal))
        ranked = sorted(
            (-len(wanted & _words(name)), len(name), name, bid)
            for bid, name in buttons if name not in self._done
        )  # fmt: skip
        if ranked and ranked[0][0] < 0:
            self._done.add(ranked[0][2])
            return f"click({ranked[0][3]!r})", {"think": f"{ranked[0][2]!r} is most like the goal"}
        if "scroll" not in self._done:
            self._done.add("scroll")
            return "scroll(0, 400)", {"think": "there may be more below"}
        return "send_msg_to_user('Done.')", {"think": "nothing here belongs to the goal"}


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall(r"\w+", text.lower()) if word not in ("the", "a")}


def run_episode(environment: PhoneAsBrowser, agent: ClickAgent, task: str, seed: int = 1) -> float:
    """The reward of an episode, which is told step by step."""
    obs, _info = environment.reset(task, seed=seed)
    print(obs["goal"])
    for _step in range(_MOST_STEPS):
        action, said = agent.get_action(agent.obs_preprocessor(obs))
        obs, reward, terminated, truncated, _info = environment.step(action)
        print(f"{action:40} {obs['last_action_error'] or said['think']}")
        if terminated or truncated:
            return float(reward)
    return 0.0


if __name__ == "__main__":
    words = dict(zip(("task", "project"), sys.argv[1:], strict=False))
    phone = PhoneAsBrowser(project=words.get("project"))
    print("reward", run_episode(phone, ClickAgent(), words.get("task", "code-add-folder")))
    phone.close()

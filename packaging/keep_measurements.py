"""Keep the results of the last `make bench` and `make soak` in docs/measurements, from where the pages come.

A bench with a broken group, or with groups missing, and a soak shorter than half an hour are not kept.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "measurements"
_LEAST_GROUPS, _LEAST_SECONDS = 20, 1800


def problem_of_bench(result: dict[str, Any]) -> str:
    """Why a bench is not kept; empty when it is whole."""
    if result["broken"]:
        return f"these groups broke: {', '.join(result['broken'])}"
    groups = len({row["group"] for row in result["rows"]})
    return f"it has {groups} groups of {_LEAST_GROUPS}" if groups < _LEAST_GROUPS else ""


def problem_of_soak(result: dict[str, Any]) -> str:
    """Why a soak is not kept; what it found wrong is no reason."""
    seconds = result["seconds"]
    return f"it took {seconds:.0f} s of {_LEAST_SECONDS}" if seconds < _LEAST_SECONDS else ""


def keep(built: Path, kept: Path) -> list[str]:
    """Copy the results that are whole; return a line for each."""
    lines = []
    for name, problem_of in (("bench.json", problem_of_bench), ("soak.json", problem_of_soak)):
        path = built / name
        if not path.is_file():
            lines.append(f"{name}: there is none; the one before stays")
        elif problem := problem_of(json.loads(path.read_text("utf-8"))):
            lines.append(f"{name}: not kept, because {problem}")
        else:
            kept.mkdir(exist_ok=True)
            shutil.copyfile(path, kept / name)
            lines.append(f"{name}: kept")
    return lines


if __name__ == "__main__":
    print("\n".join(keep(ROOT / "build", KEPT)))
    sys.exit(0)

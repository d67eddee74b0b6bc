"""Keep the results of the last `make bench` and `make soak` in docs/measurements, from where the pages come.

A bench with a broken group, and a soak shorter than half an hour are not kept.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "measurements"
_LEAST_SECONDS = 1800


def problem_of_bench(result: dict[str, Any]) -> str:
    """Why a bench is not kept; empty when it is whole."""
    return f"these groups broke: {', '.join(result['broken'])}" if result["broken"] else ""


def problem_of_soak(result: dict[str, Any]) -> str:
    """Why a soak is not kept; what it found wrong is no reason."""
    seconds = result["seconds"]
    return f"it took {seconds:.0f} s of {_LEAST_SECONDS}" if seconds < _LEAST_SECONDS else ""


def without_places(result: dict[str, Any]) -> dict[str, Any]:
    """A result without folders of its machine, and without the order of its faults."""
    return {key: value for key, value in result.items() if key not in ("kept", "timeline")}


def keep(built: Path, kept: Path) -> list[str]:
    """Copy the results that are whole; return a line for each."""
    lines = []
    for name, problem_of in (("bench.json", problem_of_bench), ("soak.json", problem_of_soak)):
        path = built / name
        result = json.loads(path.read_text("utf-8")) if path.is_file() else None
        if result is None:
            lines.append(f"{name}: there is none; the one before stays")
        elif problem := problem_of(result):
            lines.append(f"{name}: not kept, because {problem}")
        else:
            kept.mkdir(exist_ok=True)
            (kept / name).write_text(
                json.dumps(without_places(result), indent=1, ensure_ascii=False) + "\n", "utf-8"
            )
            lines.append(f"{name}: kept")
    return lines


if __name__ == "__main__":
    print("\n".join(keep(ROOT / "build", KEPT)))
    sys.exit(0)

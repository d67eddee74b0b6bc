"""Write the licences of what a bundle carries. Run it by the Python whose packages are bundled.

python packaging/licences.py FILE [NAME...]    the packages NAME are left out of the bundle
"""

from __future__ import annotations

import sys
from pathlib import Path

from collector.host.licences import components, compose_text, python_component


def write(file: Path, left_out: tuple[str, ...] = ()) -> None:
    """Write the file that ``waymark --licences`` prints in a bundle, where packages have no metadata."""
    parts = [part for part in components() if part.name.lower() not in left_out]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(compose_text([*parts, python_component()]), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), tuple(sys.argv[2:]))

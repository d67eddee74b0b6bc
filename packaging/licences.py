"""Write the licences of what a bundle carries. Run it by the Python whose packages are bundled.

python packaging/licences.py FILE [PACKAGE/LIBRARY...]    libraries that are left out of the bundle
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from collector.host.licences import components, compose_text, python_component

TERMS = """\
Waymark Studio itself is under Apache-2.0. This bundle as a whole may be passed on under GPL-3.0: in it is
x264, with which the virtual phone sends its screen, and Apache-2.0 allows that. Who passes the bundle on also
gives the sources of the parts under GPL and LGPL, of the versions below:

  x264    https://code.videolan.org/videolan/x264
  FFmpeg  https://ffmpeg.org/releases, and how it was built: https://github.com/PyAV-Org/pyav-ffmpeg
  Qt      https://download.qt.io/official_releases
  PySide6 https://code.qt.io/cgit/pyside/pyside-setup.git
  others  the addresses that each package has on https://pypi.org, and https://www.debian.org

Parts under LGPL are libraries of their own beside the program, which you may replace.

"""


def write(file: Path, left_out: Sequence[str]) -> None:
    """Write the file that ``waymark --licences`` prints in a bundle, where packages have no metadata."""
    parts = components(left_out)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(TERMS + compose_text([*parts, python_component()]), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2:])

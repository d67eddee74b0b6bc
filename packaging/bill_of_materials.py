"""List what the wheel carries and needs in a CycloneDX file: versions and hashes, without addresses."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import scrcpy_server


def write(uv: Path, root: Path, wheel: Path, environment: dict[str, str]) -> Path:
    """Write the list of a wheel beside it: the locked packages of every extra, and scrcpy's server."""
    command = [str(uv), "export", "--frozen", "--quiet", "--format", "cyclonedx1.5"]
    command += ["--no-default-groups", "--all-extras", "--preview-features", "sbom-export"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    bill = json.loads(done.stdout)
    without_chance(bill)
    own = bill["metadata"]["component"]
    own["hashes"] = [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}]
    own["version"] = wheel.name.split("-")[1]
    own["licenses"] = [{"license": {"id": "Apache-2.0"}}]
    bill["components"].append(_server())
    file = wheel.with_name(f"{'-'.join(wheel.name.split('-')[:2])}.cdx.json")
    file.write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return file


def without_chance(bill: dict[str, Any]) -> None:
    """Remove what differs from one export to the next; of an address on an index the file's name is left."""
    bill.pop("serialNumber", None)
    bill["metadata"].pop("timestamp", None)
    for component in bill["components"]:
        for reference in component.get("externalReferences", []):
            reference["url"] = reference["url"].rpartition("/")[2]


def _server() -> dict[str, Any]:
    version = scrcpy_server.NAME.removeprefix("scrcpy-server-v").removesuffix(".jar")
    return {
        "type": "file",
        "bom-ref": "scrcpy-server",
        "name": "scrcpy-server",
        "version": version,
        "purl": f"pkg:github/Genymobile/scrcpy@v{version}",
        "hashes": [{"alg": "SHA-256", "content": scrcpy_server.SHA256}],
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }

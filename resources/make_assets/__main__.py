"""Writes all files of the bundled scenes: `python -m resources.make_assets [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from resources.make_assets.all import files

FOLDER = Path(__file__).resolve().parent.parent / "models" / "assets"

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
for name, content in files().items():
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)

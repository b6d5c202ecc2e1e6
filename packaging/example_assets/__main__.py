"""Makes the files that the bundled scenes are built from: `python packaging/example_assets [FOLDER]`.

Without a folder it writes resources/models/assets. Shapes, terrain, pictures and skins come from formulas, so that nothing in
there is of unknown origin and every part can be changed at its source. Made again, each file has the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from all import files

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "models" / "assets"

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
for name, content in files().items():
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)

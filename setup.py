"""Links the folders at the top into the package tumble; all else is in pyproject.toml."""

import os
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
PACKAGES = ("app", "physics", "render", "resources")


def link_packages() -> None:
    """Have the packages in tumble/, as links, unless they are there: in an archive of sources they are."""
    for name in PACKAGES:
        link = ROOT / "tumble" / name
        if link.exists():
            continue
        if os.name == "nt":  # symbolic links want rights that few have there; junctions do not
            import _winapi

            _winapi.CreateJunction(str(ROOT / name), str(link))
        else:
            link.symlink_to(Path("..", name), target_is_directory=True)


link_packages()
setup()

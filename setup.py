"""Links the folders at the top into the package tumble; all else is in pyproject.toml."""

import os
from pathlib import Path
from shutil import copytree

from setuptools import setup
from setuptools.command.build_py import build_py

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


class BuildWithDocs(build_py):
    """Adds docs/, which Help shows, to the resources of what is installed."""

    def run(self) -> None:
        """Build the packages, and copy the docs; sources that are used where they lie have them already."""
        super().run()
        if not self.editable_mode:
            copytree(ROOT / "docs", Path(self.build_lib, "tumble", "resources", "docs"), dirs_exist_ok=True)


link_packages()
setup(cmdclass={"build_py": BuildWithDocs})

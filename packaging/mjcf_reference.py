"""`python packaging/mjcf_reference.py`: write docs/mjcf.md, resources/mjcf.rng and the list of gaps in README.md from the schema;
with --check, report whether they are up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tumble.app.doctor.page import page as doctor_page  # noqa: E402
from tumble.physics.mjcf.reference import page, with_readme_section  # noqa: E402
from tumble.physics.mjcf.relaxng import grammar  # noqa: E402

README = ROOT / "README.md"


def readme() -> str:
    """README.md with its list of gaps as the schema has it."""
    return with_readme_section(README.read_text(encoding="utf-8"))


WRITTEN = {
    ROOT / "docs" / "mjcf.md": page,
    ROOT / "docs" / "doctor.md": doctor_page,
    ROOT / "resources" / "mjcf.rng": grammar,
    README: readme,
}
FAILED = 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="make docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where one of them is another")
    check = parser.parse_args().check
    stale = [file for file, text in WRITTEN.items() if not file.is_file() or file.read_text(encoding="utf-8") != text()]
    for file in stale:
        if check:
            sys.stderr.write(f"{file} is not what the tables say: run `make docs`\n")
        else:
            file.write_text(WRITTEN[file](), encoding="utf-8")
    return FAILED if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())

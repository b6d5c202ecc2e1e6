"""`python packaging/mjcf_reference.py`: write docs/mjcf.md from the schema; with --check, say whether it is up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from physics.mjcf.reference import page  # noqa: E402

PAGE = ROOT / "docs" / "mjcf.md"
FAILED = 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="make docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where the page is another")
    if not parser.parse_args().check:
        PAGE.write_text(page(), encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page():
        sys.stderr.write(f"{PAGE} is not what the schema says: run `make docs`\n")
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())

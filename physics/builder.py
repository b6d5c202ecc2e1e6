"""A process that compiles stages: reads `module:stage` from its standard input, answers each with a line when it is done."""

import importlib
import sys

from physics.kernel import Compiled


def main() -> None:
    """Compile what standard input names into the kernel cache, until it ends."""
    for line in sys.stdin:
        module, _, name = line.strip().partition(":")
        part: Compiled = getattr(importlib.import_module(module), name)
        part.address  # noqa: B018  # reading it compiles
        sys.stdout.write(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""File systems of the tests' own making."""

import subprocess

import pytest

SMALL = 300  # kB of the file system


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 300 kB; skipped where this user may not mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = _run("mount", "-t", "tmpfs", "-o", f"size={SMALL}k,mode=0777", "tmpfs", str(place))
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip() or mounted.returncode}")
    try:
        yield place
    finally:
        _run("umount", "-l", str(place))


@pytest.fixture
def lock(small_disk):
    """Makes the small disk read-only."""

    def lock_it():
        assert not _run("mount", "-o", "remount,ro", str(small_disk)).returncode

    return lock_it


def _run(*line):
    try:
        return subprocess.run(line, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        return subprocess.CompletedProcess(line, 127, "", str(error))

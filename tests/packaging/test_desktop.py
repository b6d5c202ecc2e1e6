"""The man page and the desktop files say what the program does."""

import argparse
import configparser
import runpy
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

from tumble.__main__ import COMMANDS, parser
from tumble.app.session.loader import SUFFIXES

PACKAGING = Path(__file__).parents[2] / "packaging"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def types() -> dict[str, list[str]]:
    """The kinds of file that are declared, and the endings of their names."""
    root = ElementTree.parse(PACKAGING / "tumble-mime.xml").getroot()
    return {kind.attrib["type"]: [glob.attrib["pattern"][1:] for glob in kind.iter(f"{MIME}glob")] for kind in root}


def test_the_man_page_names_every_command_and_every_option() -> None:
    page = runpy.run_path(str(PACKAGING / "man_page.py"))["page"]().replace("\\-", "-")
    for command in (parser(), *(import_module(f"tumble.app.cli.{name}").parser() for name in COMMANDS)):
        for action in command._actions:
            for option in action.option_strings if action.help != argparse.SUPPRESS else ():
                assert f"{option}" in page, f"{command.prog} {option}"
    assert all(f".SS {name}: " in page for name in COMMANDS)


def test_desktop_entry_mime_types_are_declared_types_and_xml() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment, method-assign]
    entry.read(PACKAGING / "tumble.desktop")
    assert set(entry["Desktop Entry"]["MimeType"].strip(";").split(";")) == {*types(), "application/xml"}


def test_every_ending_that_the_program_opens_has_a_kind_of_file() -> None:
    declared = {ending for endings in types().values() for ending in endings}
    assert set(SUFFIXES) - {".xml", ".zip"} <= declared  # those kinds are declared by the system

"""The grammar for editors says what the reader says: of every element, of every kind of attribute, of every model at hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from tests.physics.scenes import GYM
from tumble import physics
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.reader import read_string
from tumble.physics.mjcf.relaxng import grammar
from tumble.physics.mjcf.schema import MUJOCO, Attribute, ElementRule
from tumble.physics.mjcf.values import ValueProblem, convert

ROOT = Path(__file__).resolve().parents[3]
MODELS = [*GYM, *sorted(ROOT.glob("resources/models/**/*.xml")), *sorted(ROOT.glob("tests/app/models/*.xml"))]
BROKEN = "broken.xml"
TEXTS = [
    "x", "1", "-7", "+3", "1.5", "1e3", ".5", "2.", "-0x1.8p3", "0x.8", "0x", "inf", "-Infinity", "2147483648", "-1", "-2", "10M",
    "1 2", "1 2 3", " 1  2\t3 4 ", "1 2 3 4 5", "1 2 3 4 5 6", "1 2 3 4 5 6 7", "1 2 3 4 5 6 7 8 9 10 11", "1 x", "1,2",
    "true", "false", "True", "auto", " auto", "rgb depth", "depth rgb", "rgb rgb rgb", "found pos", "pos found",
    "s cos(s) 0", "s s s s", "xyz", "XYx", "xyzz", "RLUDFB", "a/b c",
]  # fmt: skip


@pytest.fixture(scope="module")
def rng() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(ROOT / "resources" / "mjcf.rng"))


def rules() -> Iterator[tuple[ElementRule, tuple[ElementRule, ...]]]:
    """Every rule with the path of rules that leads to it."""
    seen = set()
    pending: list[tuple[ElementRule, tuple[ElementRule, ...]]] = [(MUJOCO, (MUJOCO,))]
    while pending:
        rule, path = pending.pop()
        if id(rule) not in seen:
            seen.add(id(rule))
            yield rule, path
            pending += [(child, (*path, child)) for child in rule.children.values()]


def written(path: tuple[ElementRule, ...], more: dict[str, str], inside: str = "") -> str:
    """A file with the elements of a path, each with what it needs, the last with more."""
    starts = []
    for rule in path:
        needed = [name for name, *_ in rule.exactly] + [a.name for a in rule.attributes.values() if a.required]
        attributes = {name: valid(rule.attributes[name]) for name in needed}
        if rule is path[-1]:
            groups = [group for group in (*rule.exclusive, *rule.exactly) if set(group) & set(more)]
            attributes = {name: value for name, value in attributes.items() if not any(name in group for group in groups)} | more
            pairs = [pair for pair in rule.together if set(pair) & set(more)]
            attributes = {name: valid(rule.attributes[name]) for pair in pairs for name in pair} | attributes
        starts.append(f"<{rule.tag}" + "".join(f' {name}="{value}"' for name, value in attributes.items()) + ">")
    return "".join(starts) + inside + "".join(f"</{rule.tag}>" for rule in reversed(path))


def valid(attribute: Attribute) -> str:
    return next(text for text in [*attribute.words, *TEXTS] if accepted(attribute, text))


def accepted(attribute: Attribute, text: str) -> bool:
    try:
        convert(attribute, text)
    except ValueProblem:
        return False
    return True


def test_the_grammar_that_ships_is_that_of_the_schema() -> None:
    assert (ROOT / "resources" / "mjcf.rng").read_text("utf-8") == grammar(), "run `make docs`"


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_models_that_load_are_valid_and_a_broken_one_is_not(rng: etree.RelaxNG, path: Path) -> None:
    assert rng.validate(etree.parse(path)) == (path.name != BROKEN), rng.error_log


def test_relaxng_accepts_only_declared_attributes_and_children(rng: etree.RelaxNG) -> None:
    checked = 0
    for rule, path in rules():
        for name, attribute in rule.attributes.items():
            text = written(path, {name: valid(attribute)})
            assert rng.validate(etree.fromstring(text)), (text, rng.error_log)
            checked += 1
        assert not rng.validate(etree.fromstring(written(path, {"bogus": "1"})))
        assert not rng.validate(etree.fromstring(written(path, {}, "<bogus/>")))
    assert checked > 1000


def test_every_element_needs_what_the_reader_needs(rng: etree.RelaxNG) -> None:
    for rule, path in rules():
        for attribute in rule.attributes.values():
            if attribute.required:
                element = etree.fromstring(written(path, {}))
                last = element
                for _ in path[1:]:
                    last = last[0]
                del last.attrib[attribute.name]
                assert not rng.validate(element), (rule.tag, attribute.name)


def test_relaxng_accepts_values_exactly_as_the_reader(rng: etree.RelaxNG) -> None:
    seen = set()
    for rule, path in rules():
        for name, attribute in rule.attributes.items():
            kind = (attribute.kind, attribute.low, attribute.high, attribute.scalar, attribute.words, attribute.pattern)
            if kind in seen:
                continue
            seen.add(kind)
            for text in [*TEXTS, *attribute.words]:
                if attribute.kind == "set" and text.split().count("rgb") > 1:
                    continue  # that each stands once is more than a grammar can say of words in any order
                ours = rng.validate(etree.fromstring(written(path, {name: text})))
                assert ours == accepted(attribute, text), (rule.tag, attribute, text)
    assert len(seen) > 50


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("<mujoco><worldbody><body><frame><body><geom/><joint/></body></frame></body></worldbody></mujoco>", True),
        ("<mujoco><worldbody><joint/></worldbody></mujoco>", False),
        ("<mujoco><worldbody><geom quat='1 0 0 0' euler='1 0 0'/></worldbody></mujoco>", False),
        ("<mujoco><worldbody><replicate count='2'><replicate count='3'/></replicate></worldbody></mujoco>", True),
        ("<mujoco><default><geom/><default class='a'><default class='b'><geom/></default></default></default></mujoco>", True),
        ("<mujoco><default><geom/><joint/><geom/></default></mujoco>", False),
        ("<mujoco><option><flag gravity='disable'/><flag/></option></mujoco>", False),
        ("<mujoco><sensor><rangefinder site='a'/><framepos objtype='site' objname='a'/></sensor></mujoco>", True),
        ("<mujoco><sensor><rangefinder/></sensor></mujoco>", False),
        ("<mujoco><sensor><framepos objtype='site' objname='a' reftype='body'/></sensor></mujoco>", False),
        ("<sdf/>", False),
    ],
)
def test_relaxng_nesting_and_exclusions_match_the_reader(rng: etree.RelaxNG, text: str, fine: bool) -> None:
    assert rng.validate(etree.fromstring(text)) == fine
    try:
        read_string(text)
    except MjcfError:
        assert not fine
    else:
        assert fine


def test_relaxng_accepts_any_section_in_an_include_file(rng: etree.RelaxNG) -> None:
    assert rng.validate(etree.fromstring("<mujocoinclude><body><include file='a.xml'/></body><geom/><option/></mujocoinclude>"))
    assert not rng.validate(etree.fromstring("<mujocoinclude><body pos='1 2'/></mujocoinclude>"))
    assert not rng.validate(etree.fromstring("<mujoco><include/></mujoco>"))


def test_a_mistake_deep_in_a_tree_is_found_at_once(rng: etree.RelaxNG) -> None:
    """Some validators take exponential time where elements in any order nest; this is a second's work at the worst."""
    deep = "<body><geom/><frame>" * 100 + "<joint bogus='1'/>" + "</frame></body>" * 100
    assert not rng.validate(etree.fromstring(f"<mujoco><worldbody>{deep}</worldbody></mujoco>"))


def test_xml_model_instruction_is_accepted_by_both_engines() -> None:
    import mujoco

    text = '<?xml version="1.0"?>\n<?xml-model href="mjcf.rng"?>\n<mujoco><worldbody><geom size="1"/></worldbody></mujoco>'
    assert physics.MjModel.from_xml_string(text).ngeom == mujoco.MjModel.from_xml_string(text).ngeom == 1

"""Whatever is wrong with a model, one message says where, in which element, what, and what is valid."""

import os
import random
import re

import mujoco
import pytest

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.faults import MOST
from tumble.physics.mjcf.reader import read_path, read_string
from tumble.physics.mjcf.references import check_references
from tumble.physics.mjcf.source import MAX_DEPTH


def message(xml: str | bytes, **files: str) -> str:
    with pytest.raises(MjcfError) as caught:
        read_string(xml, {f"{name}.xml": text for name, text in files.items()})
    return str(caught.value)


def body(inside: str) -> str:
    """A model with `inside` from line 4, column 7 on."""
    return f'<mujoco>\n  <worldbody>\n    <body name="b">\n      {inside}\n    </body>\n  </worldbody>\n</mujoco>'


ORIENTED = "quat, axisangle, xyaxes, zaxis, euler"

NOT_A_MODEL = {
    **dict.fromkeys(("", " \n "), "1:1: <mujoco> is missing: the file is empty; an MJCF file has one <mujoco> element"),
    "just text": "1:1: <mujoco> not found: this is not XML (syntax error); MJCF is XML with root <mujoco>",
    "<sdf/>": "1:1: <sdf> is the root of an SDFormat file, which is not read; convert it to MJCF; valid: <mujoco> of MJCF",
    "\n <scene/>": "2:2: <scene> is not the root of a model file; valid: <mujoco> of MJCF, <robot> of URDF",
    "<mujocoinclude/>": "1:1: <mujocoinclude> is the root of a file to be included in another; open the one that includes it",
}
BYTES = {
    b"\x89PNG\r\n\x1a\n": "1:1: <mujoco> not found: byte 0x89 is not UTF-8 text; MJCF is XML in UTF-8",
    b"<mujoco>\n \xc3\xa9\xff</mujoco>": "2:3: <mujoco> not found: byte 0xff is not UTF-8 text; MJCF is XML in UTF-8",
    b"<mujoco>\0</mujoco>": "1:9: <mujoco> not found: byte 0x00 is not UTF-8 text; MJCF is XML in UTF-8",
    "<mujoco/>".encode("utf-16"): "1:1: <mujoco> not found: byte 0xff is not UTF-8 text; MJCF is XML in UTF-8",
}
MALFORMED = {
    "<mujoco>\n <worldbody>\n </mujoco>": "3:4: <worldbody> of line 2, column 2, is not closed: another closing tag is here",
    "<mujoco>\n <worldbody>": "2:13: <worldbody> of line 2, column 2, is not closed: the file ends here; expected </worldbody>",
    "<mujoco/>\nmore": "2:1: <mujoco> is followed by more text or elements; a file has one root element",
    '<mujoco><option timestep="1" timestep="2"/></mujoco>': "1:30: <option> has an attribute twice; each may be written once",
    "<mujoco><option timestep=1/></mujoco>": '1:26: <option> is not well-formed here; valid: name="value", with < and & as &lt',
    "<mujoco><!-- no end </mujoco>": "1:9: <mujoco> has a tag or comment that is never closed with >",
}
_DOCTYPE = "<mujoco> has a document type or an entity declaration, which is not read; remove the <!DOCTYPE ...>"
DANGEROUS = {
    '<!DOCTYPE m SYSTEM "http://localhost/m.dtd" [<!ELEMENT m ANY>]>\n<mujoco/>': f"1:45: {_DOCTYPE}",
    '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<mujoco model="&x;"/>': f"1:13: {_DOCTYPE}",
    '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>\n<mujoco model="&b;"/>': f"1:13: {_DOCTYPE}",
}
STRUCTURE = {
    body("<goem/>"): '4:7: <goem> is not valid in <body>; did you mean "geom"? Valid: geom, attach, site, camera, light',
    body("<geom><site/></geom>"): "4:13: <site> is not valid in <geom>; valid: plugin",
    body("<site><geom/></site>"): "4:13: <geom> is not valid in <site>; valid: none",
    "<mujoco><opton/></mujoco>": '1:9: <opton> is not valid in <mujoco>; did you mean "option"? Valid: compiler, option, size',
    "<mujoco><worldbody><joint/></worldbody></mujoco>": "1:20: <joint> is not valid in <worldbody>; valid: geom, attach, site",
    "<mujoco>\n<worldbody pos='1 0 0'/></mujoco>": "2:1: <worldbody> has attributes; the world body takes none, put its",
    body('<inertial pos="0 0 0" mass="1"/> <inertial pos="0 0 0" mass="1"/>'): "4:40: <inertial> is a second one in <body>",
    "<mujoco modl='x'/>": '1:1: <mujoco> has no attribute "modl"; did you mean "model"? Valid: model',
    body('<freejoint damping="1"/>'): '4:7: <freejoint> has no attribute "damping"; valid: name, group, align',
    body('<inertial mass="1"/>'): "4:7: <inertial> needs the attribute pos: 3 numbers",
    "<mujoco><sensor><touch/></sensor></mujoco>": "1:17: <touch> needs the attribute site: the name of a site",
    body('<geom quat="1 0 0 0" euler="1 2 3"/>'): f"4:7: <geom> has quat and euler; valid: one of {ORIENTED}",
    body('<light type="spot" directional="true"/>'): "4:7: <light> has type and directional; valid: one of type, directional",
    '<mujoco><actuator><motor joint="a" tendon="b"/></actuator></mujoco>': "1:19: <motor> has joint and tendon; valid: one of",
    '<mujoco><sensor><framepos objtype="body" objname="b" reftype="body"/></sensor></mujoco>':
        "1:17: <framepos> has reftype but not refname; valid: both or none",
    "<mujoco><sensor><rangefinder/></sensor></mujoco>": "1:17: <rangefinder> needs one of site or camera",
    '<mujoco><sensor><rangefinder site="a" camera="b"/></sensor></mujoco>': "1:17: <rangefinder> has site and camera; valid",
}
VALUES = {
    'pos="1 2"': "pos needs 3 numbers, has 2",
    'pos="1 2 3 4"': "pos needs 3 numbers, has 4",
    'friction="1 2 3 4"': "friction needs 1 to 3 numbers, has 4",
    'group="1 2"': "group needs one integer, has 2",
    'group=""': "group needs one integer, is empty",
    'pos="1 2 three"': 'pos has "three", which is not a number; valid: 3 numbers',
    'pos="1,2,3 0 0"': 'pos has "1,2,3", which is not a number; valid: 3 numbers',
    'pos="1 2 nan"': 'pos has "nan", which is not a number; valid: 3 numbers',
    'mass="1_0"': 'mass has "1_0", which is not a number; valid: one number',
    'mass="\u0661"': 'mass has "\u0661", which is not a number; valid: one number',
    'pos="1\u00a02 3"': "pos needs 3 numbers, has 2",
    'pos="1 2 1e999"': "pos has 1e999, which is too large; valid: up to 1.7e308",
    'group="1.5"': 'group has "1.5", which is not an integer; valid: one integer',
    'group="3000000000"': "group has 3000000000, which is out of range; valid: -2147483648 to 2147483647",
    'type="bx"': 'type "bx" is not valid; did you mean "box"? Valid: plane, hfield, sphere, capsule, ellipsoid, cylinder, box',
    'type=" box"': 'type " box" is not valid; did you mean "box"? Valid: plane, hfield, sphere, capsule, ellipsoid, cylinder',
    'shellinertia="yes"': 'shellinertia "yes" is not valid; valid: true, false',
}
OTHER_VALUES = {
    "<mujoco><sensor><rangefinder site='s' data='dir dist'/></sensor></mujoco>": '1:17: <rangefinder> data "dir dist" repeats',
    body('<camera output="rgb rgb"/>'): '4:7: <camera> output "rgb rgb" repeats or is out of order; valid: some of rgb, depth',
    '<mujoco><size memory="1X"/></mujoco>': '1:9: <size> memory "1X" is not valid; valid: a count of bytes like 10M, or -1',
    '<mujoco><compiler eulerseq="xyw"/></mujoco>': '1:9: <compiler> eulerseq "xyw" is not valid; valid: text like [xyzXYZ]{3}',
    '<mujoco><option integrator="rk4"/></mujoco>': '1:9: <option> integrator "rk4" is not valid; valid: Euler, RK4, implicit',
}
NAMES = {
    body('<geom name="a"/>\n<geom name="a"/>'): '5:1: <geom> name "a" is already the name of a geom, the <geom> at',
    body('<body name="b"/>'): '4:7: <body> name "b" is already the name of a body, the <body> at model.xml:3:5; names of body',
    body('<body name="world"/>'): '4:7: <body> name "world" is the name of the world itself; choose another',
    body('<joint name="j"/><freejoint name="j"/>'): '4:24: <freejoint> name "j" is already the name of a joint, the <joint> at',
    '<mujoco><actuator><motor name="m"/>\n<position name="m"/></actuator></mujoco>': '2:1: <position> name "m" is already the',
}
CLASSES = {
    body('<geom class="leg"/>'): '4:7: <geom> class "leg" is not a default class; valid: main',
    body('<geom class=""/>'): '4:7: <geom> class "" is not a default class; valid: main',
    body('<body childclass="leg"/>'): '4:7: <body> childclass "leg" is not a default class; valid: main',
    "<mujoco><default class='leg'/></mujoco>": '1:9: <default> class "leg" cannot stand at the top, which is class "main"; nest',
    "<mujoco><default><default/></default></mujoco>": '1:18: <default> needs a class, as in <default class="leg">; only the',
    "<mujoco><default><default class='main'/></default></mujoco>": '1:18: <default> class "main" is the name of the outermost',
    "<mujoco><default><default class='a'/></default>\n<default><default class='a'/></default></mujoco>":
        '2:10: <default> class "a" is already a class, at model.xml:1:18; class names must differ',
    "<mujoco><default><geom/><geom/></default></mujoco>": "1:25: <geom> is a second one in <default>, after model.xml:1:18",
}


@pytest.mark.parametrize(("xml", "expected"), [
    pair for table in (NOT_A_MODEL, BYTES, MALFORMED, DANGEROUS, STRUCTURE, OTHER_VALUES, NAMES, CLASSES)
    for pair in table.items()
])
def test_the_message_says_where_and_what(xml, expected):
    assert message(xml).startswith(f"model.xml:{expected}")


@pytest.mark.parametrize(("written", "expected"), VALUES.items())
def test_the_message_says_what_a_value_should_be(written, expected):
    assert message(body(f"<geom {written}/>")).startswith(f"model.xml:4:7: <geom> {expected}")


def test_error_columns_count_characters_and_lines_any_ending():
    assert message('<mujoco model="日本"><x/></mujoco>').startswith("model.xml:1:20: <x>")
    assert message("<mujoco>\r\n\t<x/></mujoco>").startswith("model.xml:2:2: <x>")
    declared = '\n\n<?xml version="1.0" encoding="latin1"?>\n<!-- a\n--b -->\n<mujoco><x/></mujoco>'
    assert message(declared).startswith("model.xml:6:9: <x>")


def test_an_error_in_an_included_file_is_placed_in_that_file():
    assert message('<mujoco><include file="arm.xml"/></mujoco>', arm="<mujoco>\n<worldbody><goem/></worldbody></mujoco>") \
        .startswith("arm.xml:2:12: <goem> is not valid in <worldbody>")
    assert message('<mujoco><include file="arm.xml"/></mujoco>', arm="<mujoco>") == \
        "arm.xml:1:9: <mujoco> of line 1, column 1, is not closed: the file ends here; expected </mujoco>"
    assert message('<mujoco><include file="arm.xml"/></mujoco>', arm='<!DOCTYPE a [<!ENTITY b "c">]><mujoco/>') \
        .startswith("arm.xml:1:13: <mujoco> has a document type")


INCLUDES = {
    "<include/>": 'needs the attribute file, as in <include file="scene.xml"/>',
    '<include file=""/>': 'needs the attribute file, as in <include file="scene.xml"/>',
    '<include file="nope.xml"/>': 'file "nope.xml" does not exist: not found at nope.xml and not among the assets: a.xml',
    '<include file="/dev/zero"/>': 'file "/dev/zero" is a device or a pipe, not a file',
    '<include file="/"/>': 'file "/" is a folder, not a file',
    '<include file="e.xml"/>': 'file "e.xml" has no elements; at least one must be included',
    '<include file="a.xml"><geom/></include>': "holds <geom>; it holds nothing",
}


@pytest.mark.parametrize(("written", "expected"), INCLUDES.items())
def test_an_include_that_cannot_be_says_why(written, expected):
    files = {"a": "<mujoco><worldbody/></mujoco>", "b": "<mujoco><asset/></mujoco>", "e": "<mujoco><!-- nothing --></mujoco>"}
    assert message(f"<mujoco>\n  {written}</mujoco>", **files).startswith(f"model.xml:2:3: <include> {expected}")


def test_a_file_is_included_once():
    twice = '<mujoco><include file="a.xml"/>\n<include file="./a.xml"/></mujoco>'
    assert message(twice, a="<mujoco><worldbody/></mujoco>") == \
        'model.xml:2:1: <include> file "./a.xml" is already included at model.xml:1:9; it may be included once'


def test_recursive_include_error_shows_the_include_chain(tmp_path):
    (tmp_path / "main.xml").write_text('<mujoco><include file="arm.xml"/></mujoco>')
    (tmp_path / "arm.xml").write_text('<mujoco><include file="main.xml"/></mujoco>')
    with pytest.raises(MjcfError) as caught:
        read_path(tmp_path / "main.xml")
    assert str(caught.value) == f'{tmp_path}/arm.xml:1:9: <include> file "main.xml" includes itself: ' \
                                "main.xml > arm.xml > main.xml; remove one of these includes"
    (tmp_path / "main.xml").write_text('<mujoco><include file="main.xml"/></mujoco>')
    with pytest.raises(MjcfError, match=r'file "main.xml" includes itself: main.xml > main.xml'):
        read_path(tmp_path / "main.xml")


def test_includes_cannot_add_up_to_more_than_one_file_may_hold():
    chain = {f"f{i}": f'<m><include file="f{i + 1}.xml"/></m>' for i in range(2000)}
    assert message('<mujoco><include file="f0.xml"/></mujoco>', **chain).endswith(
        "<include> is in a file that is included too deeply; at most 50 files include one another")
    deep = {f"f{i}": "<m>" + "<body>" * 400 + f'<include file="f{i + 1}.xml"/>' + "</body>" * 400 + "</m>" for i in range(9)}
    deep["f9"] = "<m><body/></m>"
    assert message('<mujoco><worldbody><include file="f0.xml"/></worldbody></mujoco>', **deep) == \
        "f1.xml:1:592: <body> is nested too deeply; at most 500 levels are read, those of included files together"


def test_what_is_no_file_says_so(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path, "is a folder, not a file"), (tmp_path / "nope.xml", "does not exist"),
                       (tmp_path / "pipe", "is a device or a pipe, not a file"),
                       ("/dev/zero", "is a device or a pipe, not a file"), ("a\0b", "cannot be read: embedded null byte")):
        with pytest.raises(MjcfError) as caught:
            read_path(path)
        assert str(caught.value) == f"{path}:1:1: <mujoco> is missing: the path {what}; expected an MJCF or URDF file"


REFERENCES = {
    '<actuator><motor joint="kne"/></actuator>': '<motor> joint "kne" is not a joint; did you mean "knee"? Valid: knee',
    '<actuator><motor tendon="t"/></actuator>': '<motor> tendon "t" is not a tendon; the model has no tendon with a name',
    '<sensor><framepos objtype="xbody" objname="c"/></sensor>': '<framepos> objname "c" is not a body; valid: world, b',
    '<sensor><user dim="1" objtype="geom" objname="c"/></sensor>': '<user> objname "c" is not a geom; valid: g',
    '<custom><tuple name="t"><element objtype="tuple" objname="u"/></tuple></custom>': '<element> objname "u" is not a tuple',
    '<contact><exclude body1="b" body2="c"/></contact>': '<exclude> body2 "c" is not a body; valid: world, b',
    '<deformable><flex body="b c" element="0 1"/></deformable>': '<flex> body "c" is not a body; valid: world, b',
}


@pytest.mark.parametrize(("section", "expected"), REFERENCES.items())
def test_a_reference_to_nothing_lists_what_there_is(section, expected):
    document = read_string('<mujoco><worldbody><body name="b"><joint name="knee"/><geom name="g"/></body></worldbody>\n'
                           f"{section}</mujoco>")
    with pytest.raises(MjcfError) as caught:
        check_references(document.root)
    column = section.index(expected.split(">")[0]) + 1
    assert str(caught.value).startswith(f"model.xml:2:{column}: {expected}")


def test_unknown_name_error_lists_only_the_first_names():
    bodies = "".join(f'<body name="link{k}"/>' for k in range(40))
    document = read_string(f"<mujoco><worldbody>{bodies}</worldbody>"
                           '<contact><exclude body1="lnk7" body2="link1"/></contact></mujoco>')
    with pytest.raises(MjcfError) as caught:
        check_references(document.root)
    message = str(caught.value)
    assert 'did you mean "link7"? Valid: world, link0, link1,' in message
    assert message.endswith("link10 and 29 more")


def test_references_in_defaults_or_empty_are_not_checked():
    check_references(read_string('<mujoco><default><geom material="gone"/></default></mujoco>').root)
    check_references(read_string('<mujoco><worldbody><geom material=""/><camera target=""/></worldbody></mujoco>').root)
    replicas = read_string('<mujoco><worldbody><replicate count="2"><site name="s"/></replicate></worldbody>'
                           '<sensor><touch site="s0"/></sensor></mujoco>')
    check_references(replicas.root)
    used = '<mujoco><default><geom material="gone"/></default><worldbody><geom/></worldbody></mujoco>'
    with pytest.raises(MjcfError, match='material "gone" is not a material'):
        check_references(read_string(used).root)


HOSTILE = {
    "too deep": "<mujoco><worldbody>" + "<body>" * 600,
    "deep frames": "<mujoco><worldbody>" + "<frame>" * 100_000,
    "open tags": "<a>" * 200_000,
    "comments without end": "<mujoco>" + "<!--" * 200_000,
    "attributes": "<mujoco><option " + " ".join(f'a{i}="1"' for i in range(20_000)) + "/></mujoco>",
    "words": body(f'<geom pos="{"1 " * 200_000}"/>'),
    "digits": body(f'<geom group="{"9" * 100_000}"/>'),
    "a number": body(f'<geom mass="{"9" * 100_000}"/>'),
    "hexadecimal": body(f'<geom mass="0x{"f" * 100_000}"/>'),
    "actuator defaults": "<mujoco>" + "<default><motor/></default>" * 1000 + "</mujoco>",
    "a long word": body(f'<geom type="{"box" * 50_000}"/>'),
    "a surrogate": '<mujoco model="\ud800"><x/></mujoco>',
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_no_text_makes_the_reader_hang_or_fail_otherwise(kind):
    lines = message(HOSTILE[kind]).splitlines()
    assert len(lines) <= MOST + 1
    assert max(map(len, lines)) < 2000


def test_depth_ends_where_it_ends_for_the_reference():
    def nested(n: int) -> str:
        return "<mujoco><worldbody>" + "<body>" * n + "</body>" * n + "</worldbody></mujoco>"

    deepest = MAX_DEPTH - 4
    read_string(nested(deepest))
    mujoco.MjSpec.from_string(nested(deepest))
    with pytest.raises(ValueError, match="too deep"):
        mujoco.MjSpec.from_string(nested(deepest + 1))


SEED_MODEL = body(
    '<joint name="j" type="hinge" range="-1 1" solreflimit=".02 1"/><geom name="g" type="capsule" size=".1 .2" rgba="1 0 0 1"/>'
    '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><camera output="rgb depth" resolution="3 4"/>'
).replace("</mujoco>", """<default><geom friction="1"/><default class="a"><position kp="3"/></default></default>
<actuator><motor joint="j" gear="3"/><position class="a" joint="j"/></actuator><include file="more.xml"/>
<sensor><framepos objtype="geom" objname="g"/></sensor><keyframe><key qpos="1"/></keyframe></mujoco>""")
MORE = "<mujoco><option timestep='0.1'><flag contact='disable'/></option></mujoco>"
PIECES = ["<", ">", "/", '"', "'", "&", "&#0;", "<!--", "-->", "<![CDATA[", "]]>", "<?x", "\0", "\ud800", "é", " ", "1e309",
          "nan", "-", "<body>", "</body>", "<default>", 'class="a"', "name='g'", "<include file='more.xml'/>", "<!DOCTYPE x>",
          "inf", "true", "\n"]


def test_a_thousand_mutations_raise_no_other_error():
    rng = random.Random(2)
    messages = []
    for _ in range(1000):
        text = SEED_MODEL
        for _ in range(rng.randint(1, 4)):
            i, j = sorted(rng.randrange(len(text)) for _ in range(2))
            j = min(j, i + rng.randrange(20))
            text = text[:i] + rng.choice(["", rng.choice(PIECES), text[i:j] * 2, text[j:i + 40]]) + text[j:]
        try:
            check_references(read_string(text, {"more.xml": MORE}).root)
        except MjcfError as error:
            messages.append(str(error))
    assert 500 < len(messages) < 1000
    assert [text for text in messages if not re.match(r"(model|more)\.xml:\d+:\d+: <[\w.-]+> \S", text)] == []

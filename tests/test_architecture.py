"""docs/architecture.md and the house rules that can be read off the sources: parsed, never imported."""

import ast
import re
import tomllib
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
PACKAGES = ("app", "render", "physics", "tumble/mujoco")
MOST_MODULES, MOST_LINES, MOST_OF_A_NAME, MOST_METHODS = 20, 500, 2, 25
# Words with which no docstring begins: it names the thing, or says what a call does, or begins with "True if".
QUESTIONS = {"What", "Who", "How", "Where", "Which", "Whether", "Its", "That"}
# How many places a new part may touch.
MOST_PLACES = {
    "attribute of an element": 3,
    "sensor": 3,
    "collider": 2,
    "panel": 1,
    "actuator shortcut": 2,
    "activation, gain or bias of actuators": 2,
    "callback": 4,
}
NAMED = re.compile(r"`((?:app|render|physics|tumble|tests|docs)/[\w/.]*)(?::([\w.]+))?`")
# A part of a path that stands for many, as KIND in tests/fuzz/cases/KIND.
PLACEHOLDER = re.compile(r"/[A-Z]+$")
# File and heading of a link within the project, either may be blank.
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
CLASS = re.compile(r"^ *class (\w+)[(:\[]", re.MULTILINE)


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def defined(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    """Classes, functions and assigned names of a module's or a class's body."""
    names: dict[str, ast.stmt] = {}
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id: node for target in targets if isinstance(target, ast.Name)}
    return names


@cache
def anchors(page: Path) -> set[str]:
    """What links call the headings of a page, as sites that show Markdown derive it."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def drawn(heading: str) -> list[set[str]]:
    """The layers that the page draws under a heading, top to bottom, each as the set of its rooms."""
    block = PAGE.split(f"# {heading}\n", 1)[1].split("```text\n", 1)[1].split("```", 1)[0]
    return [{room.strip() for room in re.split(r"\s{2,}", line)[0].split("|")} for line in block.splitlines()]


def contract(name: str) -> list[set[str]]:
    """The layers of an import contract of pyproject.toml."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(found["layers"] for found in contracts if found["name"] == name)
    return [{room.strip() for room in layer.split("|")} for layer in layers]


def places() -> dict[str, tuple[int, list[str]]]:
    """The table "Where to touch": how many places the page promises for each new part, and the places."""
    rows = re.findall(r"^\| ([\w, ]+) \| (\d) \| (.+) \|$", PAGE, re.MULTILINE)
    return {part: (int(number), where.split(";")) for part, number, where in rows}


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Layers", "the packages"),
        ("app", "the rooms of app"),
        ("render", "the rooms of render"),
        ("physics", "the rooms of physics"),
    ],
)
def test_the_layers_drawn_are_those_of_the_import_contracts(heading: str, name: str) -> None:
    assert drawn(heading) == contract(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_names_and_links_of_a_document_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    for path, name in NAMED.findall(text):
        # docs/decisions/safety.md names tests without their folder
        where = next((root / path for root in (ROOT, ROOT / "tests") if (root / path).exists()), None)
        assert where is not None or PLACEHOLDER.search(path), path
        if name and where is not None and where.suffix == ".py":
            assert name.split(".")[0] in where.read_text("utf-8"), f"{path}:{name}"
    for file, anchor in LINK.findall(text):
        target = page.parent / file if file else page
        assert target.exists(), file
        assert not anchor or anchor in anchors(target), f"{file}#{anchor}"


def test_every_file_and_name_on_the_page_exists() -> None:
    named = NAMED.findall(PAGE)
    assert len(named) > 30
    for path, name in named:
        where = ROOT / path
        assert where.exists(), path
        names = defined(parsed(where).body) if name else {}
        for part in filter(None, name.split(".")):
            assert part in names, f"{path} has no {name}"
            node = names[part]
            names = defined(node.body) if isinstance(node, ast.ClassDef) else {}


def test_a_new_part_touches_as_many_places_as_the_page_says() -> None:
    assert set(places()) == set(MOST_PLACES)
    for part, (number, where) in places().items():
        assert len(where) == number <= MOST_PLACES[part], part
        assert all(NAMED.search(place) for place in where), part


@pytest.mark.parametrize("package", PACKAGES)
def test_no_folder_holds_more_than_twenty_modules(package: str) -> None:
    held = Counter(path.parent for path in modules(package) if path.name != "__init__.py")
    assert {str(folder): number for folder, number in held.items() if number > MOST_MODULES} == {}


@pytest.mark.parametrize("package", [*PACKAGES, "tests", "packaging"])
def test_no_file_is_longer_than_five_hundred_lines(package: str) -> None:
    lengths = {str(path): len(path.read_text("utf-8").splitlines()) for path in modules(package)}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


def test_no_class_name_stands_for_two_things() -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in modules(package):
            for name in CLASS.findall(path.read_text("utf-8")):
                where[name].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_says_what_it_is_for(package: str) -> None:
    rooms = [path for path in modules(package) if path.name == "__init__.py"]
    assert [str(path.relative_to(ROOT)) for path in rooms if not ast.get_docstring(parsed(path))] == []


@cache
def definitions(kind: type[ast.AST]) -> list[tuple[str, ast.AST]]:
    """All of a kind in the product, with where they are."""
    paths = [path for package in PACKAGES for path in modules(package)]
    return [(str(path.relative_to(ROOT)), node) for path in paths for node in ast.walk(parsed(path)) if isinstance(node, kind)]


def test_no_file_name_stands_more_than_twice() -> None:
    """The module of a command has the command's name."""
    commands = ROOT / "app" / "cli"
    paths = [path for package in PACKAGES for path in modules(package) if path.parent != commands]
    names = Counter(path.name for path in paths if path.name != "__init__.py")
    assert {name: count for name, count in names.items() if count > MOST_OF_A_NAME} == {}


def test_no_class_has_more_than_twenty_five_public_methods() -> None:
    """Properties are not counted: they are data."""
    many = {}
    for path, node in definitions(ast.ClassDef):
        methods = [f for f in node.body if isinstance(f, ast.FunctionDef) and not f.name.startswith("_")]
        marks = [" ".join(ast.unparse(mark) for mark in method.decorator_list) for method in methods]
        count = sum("property" not in mark and "setter" not in mark for mark in marks)
        if count > MOST_METHODS:
            many[f"{path}:{node.name}"] = count
    assert many == {}


def test_docstrings_add_to_the_name_and_are_no_questions() -> None:
    poor = []
    for path, node in [*definitions(ast.Module), *definitions(ast.ClassDef), *definitions(ast.FunctionDef)]:
        text = ast.get_docstring(node) or ""
        name = getattr(node, "name", "").strip("_").replace("_", " ").lower()
        words = re.sub(r"^(a|an|the) ", "", text.lower()).rstrip(".")
        if (text.split(maxsplit=1)[:1] and text.split()[0].strip(",.:;") in QUESTIONS) or (name and words == name):
            poor.append(f"{path}:{getattr(node, 'lineno', 1)} {text[:60]}")
    assert poor == []


def test_imports_make_no_circles() -> None:
    """Those for types and those in functions count too."""
    graph = grimp.build_graph("tumble")
    left = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    size = 0
    while len(left) != size:  # what imports no other, and what no other imports, is in no circle
        size = len(left)
        imported = set().union(*left.values())
        left = {module: targets & left.keys() for module, targets in left.items() if targets & left.keys() and module in imported}
    assert {module: sorted(targets) for module, targets in left.items()} == {}

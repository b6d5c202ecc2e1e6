"""Scenes with a flex: every type with every kind of dofs, and what goes with some."""

from collections.abc import Iterator

QUIET = '<contact selfcollide="none"/>'
ELASTIC = '<elasticity young="1000" poisson="0.3" thickness="0.01" elastic2d="{}" damping="{}"/>'
TYPES = (("grid", 1, "4 1 1"), ("grid", 2, "3 4 1"), ("grid", 3, "3 3 4"), ("box", 2, "3 4 3"), ("box", 3, "3 4 2"),
         ("cylinder", 2, "3 3 4"), ("cylinder", 3, "5 4 2"), ("ellipsoid", 2, "2 4 3"), ("ellipsoid", 3, "3 3 3"),
         ("square", 2, "3 3 1"), ("disc", 2, "5 4 1"), ("circle", 1, "7 1 1"), ("circle", 2, "3 3 1"))  # fmt: skip
OPTIONS = (
    ("full", '<edge equality="true" solref="0.1 2" solimp="0.5 0.6"/>'), ("full", '<edge damping="0.1"/><pin id="0 2"/>'),
    ("full", ELASTIC.format("both", 0.2)), ("radial", ELASTIC.format("stretch", 0)), ("trilinear", '<pin id="1"/>'),
    ("quadratic", ""),
)  # fmt: skip


def flexcomp(inner: str = "", **values: object) -> str:
    """A <flexcomp> named F; of 10 by 10 points if nothing else is said."""
    values = {"count": "10 10 1"} | values if values.get("dim", 2) == 2 else values
    return '<flexcomp name="F" ' + " ".join(f'{name}="{value}"' for name, value in values.items()) + f">{inner}</flexcomp>"


def on_body(flex: str, pose: str = 'pos="1 2 3"', more: str = "") -> str:
    """A flex in a body that moves freely."""
    return f'<mujoco><worldbody><body name="P" {pose}><freejoint/><geom size="0.1"/>{flex}</body></worldbody>{more}</mujoco>'


def on_world(flex: str, more: str = "") -> str:
    """A flex in the world."""
    return f"<mujoco><worldbody>{flex}</worldbody>{more}</mujoco>"


def generated() -> Iterator[tuple[str, str]]:
    """Types, dofs and options, with a name for each."""
    for kind, dim, count in TYPES:
        for k, (dof, inner) in enumerate(OPTIONS):
            away = "0.9 0.2 0.1" if dof == "radial" else "0.05 0 0"
            flex = flexcomp(inner + QUIET, type=kind, dim=dim, count=count, dof=dof, spacing="0.1 0.12 0.13", pos=away, mass=2)
            yield f"{kind} {dim} {dof} {k}", on_body(flex)


def further() -> Iterator[tuple[str, str]]:
    """What the generated ones leave out."""
    stretch = ELASTIC.format("stretch", 0)
    turned = {"pos": "0.3 0.2 0.1", "euler": "30 0 50"}
    for dim, count in ((1, "4 1 1"), (2, "4 4 1"), (3, "4 4 4")):
        grid = {"dim": dim, "count": count}
        yield f"turned {dim}", on_body(flexcomp(stretch + '<pin id="0 1"/>', **grid, **turned), 'euler="10 20 30"')
        yield f"turned nodes {dim}", on_body(flexcomp(QUIET, dof="trilinear", **grid, **turned), 'euler="10 20 30"')
        yield f"in the world {dim}", on_world(flexcomp('<edge damping="1"/><pin id="0"/>', **grid))
        yield f"collides {dim}", on_world(flexcomp(
            '<contact contype="2" conaffinity="4" condim="6" priority="3" friction="0.2" solmix="3" solref="0.1" solimp="0.7" '
            'margin="0.009" gap="0.002" internal="true" selfcollide="sap" activelayers="2" vertcollide="true" passive="true"/>',
            **grid))  # fmt: skip
    yield "nodes that resist", on_body(flexcomp(QUIET + stretch, dim=3, count="4 5 6", dof="trilinear"), 'pos="1 2 3"')
    yield "nodes that resist, turned", on_body(flexcomp(QUIET + stretch, dim=3, count="4 5 6", dof="trilinear"), 'euler="0 0 30"')
    yield "27 nodes that resist", on_body(flexcomp(QUIET + stretch, dim=3, count="5 5 6", dof="quadratic"))
    yield "neighbourhoods", on_body(flexcomp('<edge equality="vert"/><pin id="0"/>', dim=2, count="4 3 1", euler="0 0 30"))
    yield "neighbourhoods on a body", on_body(flexcomp('<edge equality="vert"/>', dim=2, count="4 3 1", mass="2"))
    second = flexcomp('<edge equality="vert"/>', dim=2, count="4 3 1")
    yield "neighbourhoods of the second", on_world(flexcomp(dim=2, count="3 3 1").replace('"F"', '"E"') + second)
    for pin in ('range="0 2 4 4"', 'grid="0 0 1 1"', 'gridrange="0 0 1 2"'):
        yield pin, on_world(flexcomp(f"<pin {pin}/>", dim=2, count="4 3 1"))
    points = "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 2 2 2"
    for dim, element in ((1, "0 1 1 2 3 4"), (2, "0 1 2 1 2 4 2 4 3"), (3, "0 1 2 3 1 2 3 4")):
        for inner in ('<edge equality="true"/>', ELASTIC.format("both", 0.3)):
            flex = flexcomp(inner, type="direct", dim=dim, point=points, element=element, scale="1 2 0.5", euler="10 20 30")
            yield f"direct {dim} {len(inner)}", on_world(flex)
    yield "many", on_world(
        flexcomp(dim=2, count="3 3 1")
        + flexcomp('<edge equality="true"/>', dim=3, count="3 3 3", pos="1 1 1").replace('"F"', '"G"')
        + flexcomp(type="box", dim=3, count="3 3 3", pos="2 1 1", group=2, rgba="1 0 0 1", flatskin="true").replace('"F"', '"H"'),
        '<compiler settotalmass="5"/><equality><flex flex="F" active="false"/></equality>')  # fmt: skip
    yield "defaults", on_world(
        flexcomp('<contact vertcollide="true"/>', dim=1, count="3 1 1"),
        '<default><joint damping="2" armature="0.1"/><geom rgba="1 0 0 1"/><equality solref="1 1"/></default>')  # fmt: skip
    yield from written()


def written() -> Iterator[tuple[str, str]]:
    """Flexes that are written directly, on bodies of several kinds."""
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    mass = '<inertial pos="0 0 0" mass="{}" diaginertia="1 1 1"/>'
    bodies = f"""<body name="A">{mass.format(1)}{slides}</body>
<body name="B" pos="1 0 0"><freejoint/><geom size=".1" pos=".2 0 0"/><body name="C" pos="0 1 0"><joint/>
<geom size=".1"/></body></body><body name="D" pos="1 1 1">{mass.format(3)}{slides}</body>
<body name="E" pos="1 2 1"><geom size=".1"/></body>"""
    flexes = (
        'dim="1" body="A B C D" element="0 1 1 2 2 3"', 'dim="2" body="A B C D" element="0 1 2 2 1 3"',
        'dim="3" body="A B C D" element="0 1 2 3"', 'dim="2" body="world E C" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2"',
        'dim="2" body="A B C D" element="0 1 2 2 1 3" texcoord="0 0 1 1" elemtexcoord="0 1 0 0 0 1"',
    )  # fmt: skip
    equalities = ("", '<flex flex="X"/>', '<flexvert flex="X"/>')
    for k, flex in enumerate(flexes):
        for equality in equalities[: 2 if k in (1, 3, 4) else 3]:
            for child in ("", '<edge damping="2"/>', ELASTIC.format("stretch", 0.3))[: 3 if k == 2 else 1 + (equality != "")]:
                yield f"written {k} {equality} {child[:8]}", (
                    f'<mujoco><deformable><flex name="X" {flex}>{child}</flex></deformable><worldbody>{bodies}</worldbody>'
                    f"<equality>{equality}</equality></mujoco>")  # fmt: skip

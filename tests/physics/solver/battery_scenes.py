"""Small scenes, each about one thing that makes constraint rows: together everything that the solvers meet."""

from tests.physics.constraint.equality_scenes import every
from tests.physics.island.scenes import ALL
from tests.physics.island.scenes import scene as islands

FLOOR = '<geom name="floor" type="plane" size="9 9 1"/>'


def _scene(bodies: str, before: str = "", after: str = "", option: str = "") -> str:
    return f"""<mujoco><option timestep="0.003" {option}/>{before}<worldbody>{FLOOR}{bodies}</worldbody>{after}</mujoco>"""


def _ball(x: float, geom: str, z: float = 0.097, y: float = 0.0) -> str:
    return f'<body pos="{x} {y} {z}"><freejoint/><geom size=".1" {geom}/></body>'


def _box(x: float, geom: str = "", z: float = 0.097, size: str = ".1 .12 .1") -> str:
    return f'<body pos="{x} 0 {z}" euler="{2 + z} {3 - z} {20 * x}"><freejoint/><geom type="box" size="{size}" {geom}/></body>'


CONDIM = _scene(
    "".join(_ball(k, f'condim="{dim}" friction=".7 .02 .004"') for k, dim in enumerate((1, 3, 4, 6)))
    + "".join(_box(4 + k, f'condim="{dim}" friction=".4 .01 .02"') for k, dim in enumerate((1, 3, 4, 6)))
)

# One geom's parameters win by priority; else they are mixed by solmix, times and stiffnesses differently.
MIX = _scene(
    _ball(0, 'priority="1" condim="4" friction=".3 .01 .001" solref=".03 .8" solimp=".7 .9 .002"')
    + _ball(1, 'solmix="3" solref=".01 1.2" solimp=".8 .97 .004 .4 3"')
    + _ball(2, 'solmix="0" condim="6" friction="1.4 .03 .002"')
    + _ball(3, 'solref="-800 -40" solmix="2"')
    + _ball(3.15, 'solref="-500 -10" solmix="0.2"', 0.24)
    + _box(5, 'priority="2" friction=".2" solref="-2000 -60"')
    + _ball(5.05, 'priority="2" friction=".9" condim="6" solimp=".5 .8 .01"', 0.29),
    before='<default><geom solref=".02 1" solimp=".9 .95 .001" friction=".8 .005 .0001"/></default>',
)

MARGIN = _scene(
    _ball(0, 'margin=".05"', 0.13) + _ball(1, 'margin=".05" gap=".02"', 0.115) + _ball(2, 'margin=".05" gap=".05"', 0.099)
    + _ball(2.21, 'margin=".03" condim="4"', 0.1) + _box(4, 'margin=".02" gap=".01"', 0.102)
    + _ball(4, 'margin=".04" condim="1"', 0.31)
)

LOSS = _scene(
    """<body pos="0 0 1"><joint axis="0 1 0" frictionloss="2"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint name="a" axis="0 1 0" frictionloss=".1"
          solreffriction=".04 .9" solimpfriction=".6 .9 .001 .4 3"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .3 0 .1"/>
        <body pos=".3 0 .1"><joint name="b" type="slide" axis="1 0 0" frictionloss=".5"/><geom size=".06"/></body></body></body>
    <body pos="2 0 1"><joint type="ball" frictionloss=".2"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 .2"/></body>
    <body pos="4 0 .096"><joint type="slide" axis="1 0 0" frictionloss="3"/><joint type="slide" axis="0 0 1"/><geom size=".1"/>
      </body>""",
    after="""<tendon><fixed frictionloss=".4" solreffriction="-300 -20"><joint joint="a" coef="1"/><joint joint="b" coef="-.6"/>
      </fixed>
      <fixed frictionloss="50"><joint joint="b" coef="2"/></fixed></tendon>""",
)

LIMITS = _scene(
    """<body pos="0 0 1"><joint axis="0 1 0" range="-5 3" margin=".04"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint name="a" axis="0 1 0" range="-1 60" solreflimit=".01 .7"
          solimplimit=".4 .9 .2 .3 4"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .3 0 .1"/>
        <body pos=".3 0 .1"><joint name="b" type="slide" axis="1 0 0" range="-.02 .01" margin=".015" solreflimit="-900 -30"/>
          <geom size=".06"/></body></body></body>
    <body pos="2 0 1"><joint type="ball" range="0 10" margin=".1"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 .2"/>
      <body pos=".3 0 .2"><joint type="ball" range="0 4"/><geom type="capsule" size=".03" fromto="0 0 0 .2 .1 0"/></body>
        </body>""",
    before="<compiler autolimits='true'/>",
    after="""<tendon><fixed range="-.05 .02" margin=".1" solimplimit=".7 .95 .05 .6 2"><joint joint="a" coef="1"/>
      <joint joint="b" coef="-2"/></fixed><fixed range="0 .3"><joint joint="b" coef="-3"/></fixed></tendon>""",
)

SOLIMP = _scene(
    "".join(
        _ball(0.5 * k, f'solimp="{imp}" condim="{(3, 4)[k % 2]}"', 0.1 - depth)
        for k, (imp, depth) in enumerate((
            (".9 .95 .001 .5 2", 0.0004), (".2 .99 .02 .3 3", 0.004), (".1 .9 .05 .8 6", 0.03), (".9 .3 .01 .5 1", 0.005),
            (".5 .5 .01 .5 2", 0.006), (".05 .97 .004 .1 1.5", 0.003), ("0 1 .01 .9 4", 0.008),
        ))
    )
)  # fmt: skip

FIGURE = """
<body pos="{x} {y} {z}" euler="{tilt} 10 0"><freejoint/><geom type="capsule" size=".09" fromto="0 0 -.12 0 0 .15"/>
  <body pos="0 .12 .14"><joint axis="1 0 0" range="-20 90"/><joint axis="0 1 0" range="-70 30"/>
    <geom type="capsule" size=".04" fromto="0 0 0 0 .25 -.1"/>
    <body pos="0 .25 -.1"><joint axis="0 1 1" range="-90 10"/><geom type="capsule" size=".035" fromto="0 0 0 .15 .1 0"/></body>
      </body>
  <body pos="0 -.12 .14"><joint type="ball" range="0 50"/><geom type="capsule" size=".04" fromto="0 0 0 0 -.25 -.1"/></body>
  <body pos="0 .08 -.15"><joint axis="0 1 0" range="-60 15" frictionloss=".3"/><joint axis="1 0 0" range="-5 20"/>
    <geom type="capsule" size=".05" fromto="0 0 0 0 0 -.25"/>
    <body pos="0 0 -.27"><joint axis="0 -1 0" range="-90 -2" armature=".01" damping=".2"/>
      <geom type="capsule" size=".045" fromto="0 0 0 0 0 -.2"/><geom type="box" size=".1 .04 .03" pos=".03 0 -.24" condim="4"/>
        </body></body>
  <body pos="0 -.08 -.15"><joint axis="0 1 0" range="-60 15" frictionloss=".3"/>
    <geom type="capsule" size=".05" fromto="0 0 0 0 0 -.45"/><geom size=".06" pos="0 0 -.5" condim="6" friction="1 .02 .01"/>
      </body>
</body>"""
FIGURES = _scene(
    FIGURE.format(x=0, y=0, z=0.66, tilt=0) + FIGURE.format(x=0.3, y=0.05, z=0.7, tilt=15)
    + FIGURE.format(x=3, y=0, z=0.2, tilt=85)
)

STACK = _scene(
    "".join(_box(0.01 * k, "", 0.0995 + 0.199 * k) for k in range(4))
    + _box(2, 'mass=".2"') + _box(2.02, 'mass="20"', 0.296)
)

IMPRATIO = _scene(
    _box(0, 'friction=".5"') + _box(0.02, 'condim="4"', 0.29) + _ball(1, 'condim="6" friction="1 .02 .01"')
    + _ball(1.1, "", 0.26),
    option='impratio="12" gravity="2 1 -9.81"',
)

OVERRIDE = _scene(
    _ball(0, 'margin=".001" condim="6"') + _ball(0.21, 'condim="4" solref="-500 -5"', 0.11) + _box(2)
    + _ball(2, 'condim="1"', 0.31),
    before="""<option o_margin=".03" o_solref=".015 .8" o_solimp=".6 .93 .02 .4 3" o_friction=".6 .5 .02 .004 .003">
      <flag override="enable"/></option>""",
)

PAIRS = _scene(
    _ball(0, 'name="a"') + _ball(0.12, 'name="b"', 0.25) + _box(2, 'name="c"'),
    after="""<contact><pair geom1="floor" geom2="a" condim="6" friction=".8 .3 .02 .005 .001" solref=".03 1.2"
        solreffriction=".05 1.1"/>
      <pair geom1="a" geom2="b" condim="3" friction="1.5 .1" margin=".02" gap=".01" solimp=".5 .9 .01 .2 2"/>
      <pair geom1="floor" geom2="c" condim="4" friction=".2 1 .03" solreffriction="-200 -30"/></contact>""",
)

FLIGHT = _scene(_ball(0, "", 2) + _ball(3, "", 2))

SCENES: dict[str, str] = {
    "condim": CONDIM, "mix": MIX, "margin and gap": MARGIN, "friction loss": LOSS, "limits": LIMITS, "solimp": SOLIMP,
    "equality": every(), "figures": FIGURES, "stack": STACK, "impratio": IMPRATIO, "override": OVERRIDE, "pairs": PAIRS,
    "islands": islands(*ALL, condim=4), "flight": FLIGHT,
}  # fmt: skip

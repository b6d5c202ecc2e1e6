"""A box on a slope, and studies of it."""

from __future__ import annotations

from pathlib import Path

from tumble.app.session.loader import read_compiled
from tumble.app.study.study_file import Study, parse
from tumble.app.study.trial import Plan

SLOPE = """<mujoco model="slope">
  <option timestep="0.002"/>
  <default><default class="pad"><geom friction="0.6 0.01 0.001"/></default></default>
  <worldbody>
    <geom name="slope" type="plane" size="5 5 .1" zaxis="0.3 0 1" class="pad"/>
    <body name="box" pos="0 0 0.12">
      <freejoint/>
      <geom name="box" type="box" size="0.1 0.1 0.05" mass="1" class="pad"/>
    </body>
    <body name="arm" pos="2 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.1" range="-90 90"/>
      <inertial pos="0 0 -.2" mass="0.5" diaginertia="0.01 0.01 0.002"/>
      <geom name="rod" type="capsule" size=".02" fromto="0 0 0 0 0 -.4"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="2" ctrlrange="-1 1"/></actuator>
</mujoco>
"""
HEAD = 'model = "slope.xml"\nseconds = 0.4\n'
FRICTION = '[parameters.friction]\npaths = ["geom[slope].friction[0]", "geom[box].friction[0]"]\nlow = 0.05\nhigh = 1.0\n'
SLID = '[measures]\nslid = {change = "xpos[box, x]"}\n'


def study(text: str) -> Study:
    """The study in a text."""
    return parse(text, "slope.toml")


def plan(folder: Path, text: str, model: str = SLOPE) -> Plan:
    """A study of a model whose file is put into a folder."""
    (folder / "slope.xml").write_text(model)
    return Plan.of(study(text), read_compiled(folder / "slope.xml").bundle, folder)

"""Rendering to video: frames of a scene without a window, with depth and segmentation, written as an animation.

Usage: render_video.py [out.gif]
"""

import json
import sys

import mujoco
import numpy as np
from PIL import Image

XML = """
<mujoco model="video">
  <visual><global offwidth="320" offheight="240"/></visual>
  <asset>
    <texture name="grid" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".3 .4 .5" width="64" height="64"/>
    <material name="grid" texture="grid" texrepeat="6 6"/>
  </asset>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1" directional="true"/>
    <camera name="side" pos="0 -2.5 1" xyaxes="1 0 0 0 .25 1"/>
    <geom name="floor" type="plane" size="2 2 .1" material="grid"/>
    <body name="ball" pos="-.5 0 1"><freejoint/><geom name="ball" size=".2" rgba=".9 .1 .1 1"/></body>
    <body name="post" pos=".6 0 .4"><geom name="post" type="box" size=".1 .1 .4" rgba=".1 .7 .2 1"/></body>
  </worldbody>
</mujoco>
"""
WIDTH, HEIGHT, RATE = 160, 120, 10

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qvel[0] = 0.5
frames, seen = [], []
with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
    while data.time < 0.6:
        mujoco.mj_step(model, data)
        if len(frames) < data.time * RATE:
            renderer.update_scene(data, camera="side")
            frames.append(renderer.render())
            renderer.enable_segmentation_rendering()
            labels = renderer.render()
            renderer.disable_segmentation_rendering()
            seen.append([int((labels[:, :, 0] == model.geom(name).id).sum()) for name in ("floor", "ball", "post")])
    renderer.enable_depth_rendering()
    depth = renderer.render()

if len(sys.argv) > 1:
    pictures = [Image.fromarray(frame) for frame in frames]
    pictures[0].save(sys.argv[1], save_all=True, append_images=pictures[1:], duration=1000 // RATE, loop=0)
red = [float((frame[:, :, 0].astype(float) - frame[:, :, 1]).clip(0).sum() / 255) for frame in frames]
print(json.dumps({
    "frames": len(frames), "shape": list(frames[0].shape), "type": str(frames[0].dtype), "pixels": seen, "red": red,
    "near": float(depth.min()), "centre": float(depth[HEIGHT // 2, WIDTH // 2]), "moved": bool(np.any(frames[0] != frames[-1])),
}))  # fmt: skip

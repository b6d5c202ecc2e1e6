"""Depths and segmentations of the reference, in a process of its own: it chooses how to draw when it is imported.

  python -m tests.app.mujoco.pictures OUT.npz MODEL.xml...
"""

from __future__ import annotations

import sys

import mujoco
import numpy as np

SIZE = 240, 320


def main() -> None:
    found = {}
    for path in sys.argv[2:]:
        model = mujoco.MjModel.from_xml_path(path)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        renderer = mujoco.Renderer(model, *SIZE)
        renderer.update_scene(data)
        renderer.enable_depth_rendering()
        found[f"{path} depth"] = renderer.render()
        renderer.enable_segmentation_rendering()
        found[f"{path} what"] = renderer.render()
        renderer.close()
    np.savez(sys.argv[1], **found)


if __name__ == "__main__":
    main()

"""The reference's pictures, in a process of its own: it chooses how to draw when it is imported.

python -m tests.gallery.reference STATES.npz OUT.npz WIDTH HEIGHT MODEL.xml...
"""

import sys

import mujoco
import numpy as np


def main() -> None:
    states = np.load(sys.argv[1])
    width, height = map(int, sys.argv[3:5])
    found = {}
    for path in sys.argv[5:]:
        model = mujoco.MjModel.from_xml_path(path)
        data = mujoco.MjData(model)
        mujoco.mj_setState(model, data, states[path], mujoco.mjtState.mjSTATE_INTEGRATION)
        mujoco.mj_forward(model, data)
        model.vis.global_.offwidth, model.vis.global_.offheight = width, height
        camera = mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(model, camera)
        renderer = mujoco.Renderer(model, height, width)
        renderer.update_scene(data, camera)
        found[path] = renderer.render()
        renderer.close()
    np.savez(sys.argv[2], **found)


if __name__ == "__main__":
    main()

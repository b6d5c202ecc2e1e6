"""In a film an arrow of a contact force means the same from picture to picture."""

from fractions import Fraction

import numpy as np
import pytest

from tumble.app.film.camera_path import Still
from tumble.app.film.offline import Studio, Take
from tumble.physics import MjData, MjModel, mj_step
from tumble.render.camera import default_camera
from tumble.render.options import RenderOptions

XML = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 1"/>
<body pos="0 0 .6"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.mark.slow
def test_after_an_impact_the_scale_stays_for_a_while(monkeypatch):
    model = MjModel.from_xml_string(XML)
    data, seen = MjData(model), []
    take = Take(64, 48, Fraction(50), 1.0, options=RenderOptions(contact_force=True))
    with Studio(model, take) as studio:

        def note(frame, camera, options):
            seen.append(options.force_newtons)
            return np.zeros((take.height, take.width, 4), np.uint8)  # what the arrows look like is not asked here

        monkeypatch.setattr(studio._renderer, "render_rgba", note)
        for k in range(50):
            studio.picture(data, Still(default_camera(model)), k / 50, data.time)
            mj_step(model, data, 10)
    scales = np.array(seen)
    assert scales[0] == 0.0  # nothing touches yet
    assert len(set(scales[scales > 0])) <= 2  # at the impact, which may have a rise; never down within so short a time
    assert (np.diff(scales) >= 0).all()
    assert scales[-1] > 2.0 * 9.81 * float(model.body_mass[1])  # that of the impact, not of the weight

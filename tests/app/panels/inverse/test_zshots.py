from pathlib import Path
import pytest
from tests.app.conftest import open_panel
from tests.app.panels.moments import stepped
pytestmark = pytest.mark.pumped
def test_shots(window, qtbot):
    for w, h in ((1280, 800), (1600, 1000)):
        window.resize(w, h)
        for name, path in (("figure", "resources/models/figure.xml"), ("hum", "/tmp/w/corp5/dm_control/suite/humanoid.xml"), ("arm", "resources/models/arm.xml")):
            p = open_panel(qtbot, window, "inverse", Path(path), paused=True)
            stepped(window, qtbot, 300)
            qtbot.waitUntil(lambda: p.report is not None and not p.work.working, timeout=100000)
            qtbot.wait(900)
            print(name, p.report.seconds, p.report.model.nv, p.summary.toolTip())
            window.grab().save(f"/tmp/w/inv_{name}_{w}_a.png")
            p.table.topLevelItem(0).setSelected(True)
            qtbot.wait(400)
            window.grab().save(f"/tmp/w/inv_{name}_{w}_b.png")
            p.source.setCurrentIndex(1)
            qtbot.wait(4000)
            window.grab().save(f"/tmp/w/inv_{name}_{w}_c.png")
            p.source.setCurrentIndex(0)

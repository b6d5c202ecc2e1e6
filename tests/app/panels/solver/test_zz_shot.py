import time
from pathlib import Path
import pytest
from tests.app.conftest import open_panel
from tests.app.panels.moments import stepped
pytestmark = pytest.mark.pumped
S = "/tmp/w/corp5/dm_control/suite/"
def test_shots(window, qtbot):
    sizes = ((1280, 800), (1600, 1000))
    for w, h in sizes:
        window.resize(w, h)
        for name, path, steps in (("slope", 'resources/models/slope.xml', 60), ("hum", S + "humanoid.xml", 120), ("heap", "tests/app/models/heap.xml", 80)):
            p = open_panel(qtbot, window, "solver", Path(path), paused=True)
            page = p.contact
            p.tabs.setCurrentWidget(page)
            stepped(window, qtbot, steps)
            qtbot.waitUntil(lambda: not page._working and (page.picture is not None or bool(page.empty.text())) and page._step.time > 0)
            qtbot.wait(800)
            print(name, page.empty.text(), page.picture and page.picture.solves.seconds, page.picture and [len(x) for x in page.picture.solves.paths])
            window.grab().save(f"/tmp/w/opt_shots/{name}_{w}.png")
            if page.picture:
                page.choose(2, min(2, len(page.picture.solves.paths[2]) - 1))
                qtbot.waitUntil(lambda: not page._working)
                qtbot.wait(300)
                t = time.perf_counter()
                for _ in range(5): page._show(page.picture)
                print("show ms", 200 * (time.perf_counter() - t))
                t = time.perf_counter()
                for _ in range(5): page.grab()
                print("paint ms", 200 * (time.perf_counter() - t))
                p.grab().save(f"/tmp/w/opt_shots/{name}_{w}_chosen.png")
                page.choose(-1, -1)
                page.kind.setCurrentIndex(1)
                page.axes.setCurrentIndex(1)
                qtbot.waitUntil(lambda: not page._working)
                qtbot.wait(300)
                p.grab().save(f"/tmp/w/opt_shots/{name}_{w}_penalty.png")
                page.kind.setCurrentIndex(0)
                page.axes.setCurrentIndex(0)

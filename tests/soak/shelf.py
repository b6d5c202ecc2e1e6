"""The models that a soak opens: copies, so that what is written into them is written into no one's files, and broken ones."""

import shutil
from pathlib import Path
from random import Random

from tests.soak.scenes import PLAIN, SCENES, Scene
from tumble.app.library.examples import EXAMPLES
from tumble.app.look.theme import RESOURCES

MOST_BYTES = 60 * 2**20  # a folder of models that is larger is not copied
FROM_CORPUS = 12  # models of each folder
JUNK = (b"<", b">", b'"', b"nan", b"1e999", b"-1", b"\xff\xfe", b"\0", b"", b"<geom/>", b'size="0"', b"</mujoco>")


class Shelf:
    """Copies of the bundled examples, and of folders of models; each as it was whenever it is asked for."""

    def __init__(self, folder: Path, corpora: list[Path], rng: Random, scene: Scene = SCENES[PLAIN]) -> None:
        self._folder = folder
        own = folder / "examples"
        shutil.copytree(RESOURCES / "models", own, dirs_exist_ok=True)
        self.models = [own / example.file for example in EXAMPLES if not scene.models or example.file in scene.models]
        self.rest = own / scene.rest
        for number, corpus in enumerate(corpora):
            self.models += self._copy(corpus, folder / f"{number}-{corpus.name}", rng)
        self._texts = {path: path.read_bytes() for path in {*self.models, self.rest}}

    def _copy(self, corpus: Path, copy: Path, rng: Random) -> list[Path]:
        if sum(path.stat().st_size for path in corpus.rglob("*") if path.is_file()) > MOST_BYTES:
            raise ValueError(f"{corpus} has more than {MOST_BYTES >> 20} MB: name a smaller folder")
        shutil.copytree(corpus, copy, dirs_exist_ok=True)
        whole = sorted(path for path in copy.rglob("*.xml") if b"<worldbody" in path.read_bytes())
        return rng.sample(whole, min(FROM_CORPUS, len(whole)))

    def restore(self, path: Path) -> Path:
        """The file as it was at first, whatever was written into it."""
        if path.read_bytes() != self._texts[path]:
            path.write_bytes(self._texts[path])
        return path

    def any(self, rng: Random) -> Path:
        return self.restore(rng.choice(self.models))

    def broken(self, rng: Random) -> Path:
        """A damaged copy of a model, next to it, so that its assets are found; or a file that is none."""
        source = rng.choice(self.models)
        data = self._texts[source]
        kind = rng.choice(("cut", "junk", "junk", "empty", "bytes", "zip", "missing"))
        at = rng.randrange(len(data))
        if kind == "cut":
            data = data[:at]
        elif kind == "junk":
            data = data[:at] + rng.choice(JUNK) + data[at + rng.randrange(8) :]
        elif kind == "empty":
            data = b""
        elif kind == "bytes":
            data = rng.randbytes(4096)
        path = source.with_name(f"broken-{kind}{'.zip' if kind == 'zip' else '.xml'}")
        if kind == "missing":
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(data)
        return path

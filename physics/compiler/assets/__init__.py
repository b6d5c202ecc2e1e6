"""Assets from files: images, meshes, skins. Read before the tree is built, because geoms take their sizes from them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from msgspec import Struct, field

from tumble.physics.compiler.assets.asset_files import model_path
from tumble.physics.compiler.assets.hfield import HField, fill_hfields, read_hfields
from tumble.physics.compiler.assets.mesh.asset import MeshAsset, fill_meshes, finish_meshes, read_meshes
from tumble.physics.compiler.assets.skin import Skin, read_skins
from tumble.physics.compiler.assets.texture import Texture, fill_textures, read_textures
from tumble.physics.compiler.plugins import Plugins
from tumble.physics.compiler.progress import tell
from tumble.physics.compiler.workers import Workers
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.model import Model

__all__ = ["Assets", "HField", "MeshAsset", "fill_assets", "finish_meshes", "read_assets"]

_KINDS = frozenset({"mesh", "hfield", "skin", "texture"})


class Assets(Struct, eq=False):
    """The assets of a model, each kind in the order of the model's ids."""

    meshes: list[MeshAsset] = field(default_factory=list)
    hfields: list[HField] = field(default_factory=list)
    skins: list[Skin] = field(default_factory=list)
    textures: list[Texture] = field(default_factory=list)

    broken: frozenset[tuple[str, str]] = frozenset()  # kind and name of those that could not be read, which is reported

    def lacks(self, geom: Element) -> bool:
        """True if a geom refers to an asset that could not be read: its own errors follow from that."""
        return bool(self.broken) and any((kind, str(geom.get(kind, ""))) in self.broken for kind in ("mesh", "hfield"))

    def paths(self) -> list[bytes]:
        """Names of the files that they came from, in the order of the model's paths, each ended by a zero byte; b"" for none."""
        assets: tuple[HField | MeshAsset | Skin | Texture, ...] = (*self.hfields, *self.meshes, *self.skins, *self.textures)
        return [path.encode() + b"\0" if path else b"" for path in (model_path(asset.path) for asset in assets)]


def read_assets(document: Document, root: Element, plugins: Plugins, workers: Workers) -> Assets:
    """All assets of a model; plugins: its signed distance functions. Raises MjcfError if one cannot be read.

    Meshes are as they are drawn: `finish_meshes` waits for the rest.
    """
    sections = [*root.all("asset"), *root.all("deformable")]
    elements = [element for section in sections for element in section.children if element.tag in _KINDS]
    sound = [element for element in elements if not faults.has_fault(element)]
    turn = itertools.count(1)

    def announce(element: Element) -> None:
        tell(next(turn), len(sound), element.get("file") or f"{element.tag} {element.get('name', '')}")

    def announced(tag: str) -> Iterator[Element]:
        for element in sound:
            if element.tag == tag:
                announce(element)
                yield element

    meshes = read_meshes(document, [one for one in sound if one.tag == "mesh"], announce, root, plugins, workers)
    try:
        assets = Assets(
            meshes, read_hfields(document, announced("hfield")), read_skins(document, announced("skin")),
            read_textures(document, announced("texture")),
        )  # fmt: skip
    except MjcfError:
        finish_meshes(meshes)  # raises what is wrong with a mesh, which comes first
        raise
    broken = [element for element in elements if faults.has_fault(element)]
    assets.broken = frozenset((element.tag, str(element.get("name", ""))) for element in broken)
    return assets


def fill_assets(assets: Assets, m: Model) -> None:
    """Write the assets of a model, and the names of their files."""
    fill_hfields(assets.hfields, m)
    fill_meshes(assets.meshes, m)
    fill_textures(assets.textures, m)
    paths = assets.paths()
    m.paths = b"".join(paths) or b"\0"
    lengths = np.array([len(path) for path in paths], int)
    addresses = iter(np.where(lengths > 0, np.cumsum(lengths) - lengths, -1).tolist())
    for kind in ("hfield", "mesh", "skin", "tex"):
        holder = getattr(m, f"{kind}_pathadr")
        holder[...] = list(itertools.islice(addresses, len(holder)))

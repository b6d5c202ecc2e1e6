"""From the elements of a file to the arrays of a model, in ordered passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from tumble.physics.compiler import custom, options
from tumble.physics.compiler import name_table as names
from tumble.physics.compiler.assets import Assets, fill_assets, finish_meshes, read_assets
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.compiler.bodies.geoms import check_planes
from tumble.physics.compiler.bodies.inertia import set_inertias
from tumble.physics.compiler.bodies.kinematic_tree import build_tree, check_free
from tumble.physics.compiler.bodies.numbering import fill_bodies, fill_joints, fill_simple, fill_trees, number, set_sleep_policies
from tumble.physics.compiler.bodies.rewrite import rewrite
from tumble.physics.compiler.bodies.shapes import fill_cameras, fill_geoms, fill_lights, fill_sites
from tumble.physics.compiler.compose import compose
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.flex.fill import fill_flexes, place_flexes
from tumble.physics.compiler.flex.read import read_flex
from tumble.physics.compiler.hierarchies import fill_hierarchies
from tumble.physics.compiler.looks import fill_materials, fill_skins, leave_out
from tumble.physics.compiler.plugins import Plugins, fill_plugins, read_plugins
from tumble.physics.compiler.progress import ask
from tumble.physics.compiler.relations.actuators import fill_actuators
from tumble.physics.compiler.relations.equalities import fill_equalities, fill_pairs, sort_pairs
from tumble.physics.compiler.relations.lengthrange import fill_length_ranges
from tumble.physics.compiler.relations.sensors import fill_histories, fill_sensors, read_sensors
from tumble.physics.compiler.relations.tendons import fill_tendons, read_tendons
from tumble.physics.compiler.setconst import mj_setConst, pose_without_kernels, set_spring_dampers
from tumble.physics.compiler.sizes import find_sizes, key_number
from tumble.physics.compiler.sparsity import fill_patterns, find_patterns
from tumble.physics.compiler.workers import Workers
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.references import check_references, check_supported, is_complete
from tumble.physics.mjcf.spec import Element
from tumble.physics.run.reset import any_begins_asleep, begin_sleep, why_awake
from tumble.physics.state.data import Data
from tumble.physics.state.fields import MODEL
from tumble.physics.state.model import Model

M = TypeVar("M", bound=Model)

_SOON = 0.3  # time for hulls to be made before a picture is worth what it costs [s]
_PATTERN_SIZES = ("nM", "nC", "nD", "nB")
_PATTERNS = [f for f in MODEL if f.shape and f.shape[0] in _PATTERN_SIZES]


@store.postponed()
def compile(
    document: Document,
    into: type[M],
    told: Callable[[Draft], None] | None = None,
    seen: Callable[[M, Data], None] | None = None,
) -> M:
    """The model that a document describes.

    into: the class of the model to make. told: called with the draft once the model is made, which knows what element each
    number belongs to. seen: called with what `first_look` returns, but only if hulls of meshes are not there soon.
    Raises MjcfError, at file:line:column, for what cannot be compiled.
    """
    with Workers() as workers:
        draft = _outline(document, workers)
        try:
            if seen is not None and not workers.all_done(_SOON):
                seen(*_look(draft, into))
        except MjcfError:
            finish_meshes(draft.assets.meshes)  # raises what is wrong with a mesh, which comes first
            raise
        finish_meshes(draft.assets.meshes)
    faults.settle(always=True)
    m = _assemble(draft, into)
    _finish(draft, m)
    _check_sleepers(draft, m)
    m.seal()
    if told is not None:
        told(draft)
    return m


def first_look(document: Document, into: type[M]) -> tuple[M, Data]:
    """The model and data in the initial pose, made without kernels: what can be shown, and what a step will need.

    The model lacks the hulls of meshes and the constants that follow from others, such as inverse weights: it cannot be
    simulated. Raises as `compile`.
    """
    return _look(outline(document), into)


def _look(draft: Draft, into: type[M]) -> tuple[M, Data]:
    m = _assemble(draft, into)
    d = Data(m)
    pose_without_kernels(m, d)
    options.fill_statistic(draft.root, m)
    m.seal()
    return m, d


def _assemble(draft: Draft, into: type[M]) -> M:
    """Everything that the document says, but no constants that follow from it."""
    root = draft.root
    read_tendons(draft)
    named = names.collect(draft, key_number(draft))
    draft.ids = names.index(named)
    sensors = read_sensors(draft)
    sizes = find_sizes(draft, named, sensors)

    # The patterns need the joints' arrays, and their own arrays the patterns' sizes.
    m = into(sizes)
    for fill in (fill_bodies, fill_joints, fill_trees, fill_simple):
        fill(draft, m)
    patterns = find_patterns(draft, m.dof_parentid, m.dof_simplenum)
    _make_room(m, {"nM": patterns.nM, "nC": patterns.M.size, "nD": patterns.D.size, "nB": patterns.B.size})
    fill_patterns(patterns, m)
    options.fill_options(root, m)
    options.fill_visual(root, m)
    for fill in (fill_geoms, fill_sites, fill_cameras, fill_lights, fill_materials, fill_pairs, fill_equalities, fill_tendons,
                 fill_actuators, fill_skins, fill_flexes, custom.fill_custom, custom.fill_own_options,
                 custom.fill_keys):  # fmt: skip
        ask()
        fill(draft, m)
    faults.settle(always=True)
    fill_assets(draft.assets, m)
    fill_plugins(draft.plugins, m)
    fill_hierarchies(draft, m)
    fill_sensors(draft, sensors, m)
    fill_histories(draft, sensors, m)
    names.fill_names(root.get("model", ""), named, m)
    set_sleep_policies(draft, m)
    return m


def outline(document: Document) -> Draft:
    """The elements of a document, each kind in the order of the model's ids. Raises MjcfError as `compile`."""
    with Workers() as workers:
        return _outline(document, workers)


def _outline(document: Document, workers: Workers) -> Draft:
    """The same; the workers go on with what `finish_meshes` waits for."""
    if document.models or not is_complete(document.root):
        faults.settle(always=True)  # what is made of parts that are wrong is wrong at every place
    root = compose(document)
    leave_out(root, document.without)
    check_supported(root)
    check_references(root)
    plugins = read_plugins(root)
    assets = read_assets(document, root, plugins, workers)
    try:
        return _arranged(root, assets, plugins)
    except MjcfError:
        finish_meshes(assets.meshes)  # raises what is wrong with a mesh, which comes first
        raise


def _arranged(root: Element, assets: Assets, plugins: Plugins) -> Draft:
    draft = _draft(root, assets, plugins)
    faults.settle(always=True)  # what follows counts elements and looks them up by name
    set_inertias(draft.world, root.settings.settotalmass)
    faults.settle(always=True)
    check_planes(draft.world)
    rewrite(draft)
    check_free(draft.world)
    number(draft)
    draft.ids = names.index(names.collect(draft, 0))
    place_flexes(draft)
    sort_pairs(draft)
    return draft


def _draft(root: Element, assets: Assets, plugins: Plugins) -> Draft:
    """The tree and the lists of everything else."""
    draft = Draft(root, assets, build_tree(root, assets), plugins)
    lists = names.elements_of(draft)
    for section in root.children:
        if section.tag in ("equality", "tendon", "actuator", "sensor"):
            lists[section.tag] += section.children
        elif section.tag == "deformable":
            draft.flexes += faults.each(read_flex, (flex for flex in section.all("flex") if not faults.has_fault(flex)))
        elif section.tag in ("asset", "contact", "custom", "keyframe"):
            for element in section.all("texture", "material", "pair", "exclude", "numeric", "text", "tuple", "key"):
                lists[element.tag].append(element)
    return draft


def _make_room(m: Model, sizes: dict[str, int]) -> None:
    """Memory for the patterns of a model that was made without any. Raises ModelError if that is too much."""
    counts = {f: sizes[str(f.shape[0])] for f in _PATTERNS}
    wanted = {f.name: count * np.dtype(f.dtype).itemsize for f, count in counts.items()}
    m._require({name: array.nbytes for name, array in m._arrays.items()} | wanted)
    for f, count in counts.items():
        m._place(f, m._zeros(f, (count,)))
    for name, size in sizes.items():
        m.put_number(name, size)


def _finish(draft: Draft, m: Model) -> None:
    """Constants of the reference configuration; what the file says of them goes before what follows from it."""
    d = Data(m)
    mj_setConst(m, d)
    springs = {
        j: (float(pair[0]), float(pair[1]))
        for j, joint in enumerate(draft.joints)
        if (pair := joint.element.get("springdamper")) is not None and pair.any()
    }
    set_spring_dampers(m, springs)
    _check_finite(draft, m)
    fill_length_ranges(draft, m)
    options.fill_statistic(draft.root, m)


def _check_sleepers(draft: Draft, m: Model) -> None:
    """Raise MjcfError, at the body, if a tree is to begin asleep and cannot."""
    if not any_begins_asleep(m):
        return
    d = Data(m)
    tree = begin_sleep(m, d)
    if tree >= 0:
        raise draft.bodies[m.tree_bodyadr[tree]].element.error(why_awake(m, d, tree))


def _check_finite(draft: Draft, m: Model) -> None:
    """Raise MjcfError if masses and lengths do not add up to a model that can move."""
    for i in np.flatnonzero(~np.isfinite(m.dof_invweight0)):
        if np.isfinite(m.dof_M0).all():
            joint = draft.joints[m.dof_jntid[i]].element
            raise joint.error("moves its body as another joint does already, without inertia between the two: give it armature")
    for name in ("body_inertia", "dof_M0", "dof_invweight0", "body_invweight0", "stat_extent"):
        if not np.isfinite(getattr(m, name)).all():
            raise draft.root.error(f"is out of proportion: {name} is not finite; some mass or length is huge or tiny")

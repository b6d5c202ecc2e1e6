"""Skins as arrays: their triangles, and the bodies that their bones follow."""

from __future__ import annotations

from collections.abc import Sequence

from tumble.physics.compiler.assets.skin import Bone
from tumble.physics.compiler.draft import Draft, fill
from tumble.physics.state.model import Model


def fill_skins(draft: Draft, m: Model) -> None:
    """Write the skins of a model. Raises MjcfError if a bone follows no body that there is."""
    skins = draft.assets.skins
    fill(m, "skin_", [skin.element for skin in skins], ("group", "rgba", "inflate"))
    vert = tex = face = bone = 0
    for i, skin in enumerate(skins):
        m.skin_matid[i] = draft.id(skin.element, "material", "material")
        m.skin_vertadr[i], m.skin_vertnum[i] = vert, len(skin.vert)
        m.skin_texcoordadr[i] = tex if len(skin.texcoord) else -1
        m.skin_faceadr[i], m.skin_facenum[i] = face, len(skin.face)
        m.skin_boneadr[i], m.skin_bonenum[i] = bone, len(skin.bones)
        m.skin_vert[vert : vert + len(skin.vert)] = skin.vert
        m.skin_texcoord[tex : tex + len(skin.texcoord)] = skin.texcoord
        m.skin_face[face : face + len(skin.face)] = skin.face
        vert, tex = vert + len(skin.vert), tex + len(skin.texcoord)
        face, bone = face + len(skin.face), bone + len(skin.bones)
    _fill_bones(draft, [held for skin in skins for held in skin.bones], m)


def _fill_bones(draft: Draft, bones: Sequence[Bone], m: Model) -> None:
    at = 0
    for i, bone in enumerate(bones):
        m.skin_bonebodyid[i] = draft.named(bone.element, "body", "body", bone.body)
        m.skin_bonebindpos[i], m.skin_bonebindquat[i] = bone.pos, bone.quat
        end = at + bone.vertid.size
        m.skin_bonevertadr[i], m.skin_bonevertnum[i] = at, bone.vertid.size
        m.skin_bonevertid[at:end], m.skin_bonevertweight[at:end] = bone.vertid, bone.weight
        at = end

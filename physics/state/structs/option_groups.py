"""Physics options, statistics and visual settings, on their own and as `m.opt`, `m.stat`, `m.vis` and `m.tumble`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from tumble.physics.state.block import Block
from tumble.physics.state.layout import MODEL_LAYOUT
from tumble.physics.state.structs.struct import StructView

if TYPE_CHECKING:
    from tumble.physics.state.declared import groups

    Option = groups.Option
    Statistic = groups.Statistic
    TumbleOption = groups.TumbleOption
    VisualGlobal = groups.VisualGlobal
    VisualHeadlight = groups.VisualHeadlight
    VisualMap = groups.VisualMap
    VisualQuality = groups.VisualQuality
    VisualRgba = groups.VisualRgba
    VisualScale = groups.VisualScale
else:
    from tumble.physics.state.structs.group import Group

    Option = Statistic = TumbleOption = Group
    VisualGlobal = VisualQuality = VisualHeadlight = VisualMap = VisualScale = VisualRgba = Group


class MjOption(Option, layout=MODEL_LAYOUT, prefix="opt_"):
    """Physics options, `m.opt`; made alone, those of a file that says nothing of them."""

    __slots__ = ()


class MjStatistic(Statistic, layout=MODEL_LAYOUT, prefix="stat_"):
    """Statistics of a model, `m.stat`; made alone, zeros."""

    __slots__ = ()


class TumbleOptions(TumbleOption, layout=MODEL_LAYOUT, prefix="tumble_"):
    """Options beyond the reference, `m.tumble`; made alone, those of a model that is loaded."""

    __slots__ = ()


class MjVisualGlobal(VisualGlobal, layout=MODEL_LAYOUT, prefix="vis_global_"):
    """Settings of the whole picture and of the camera it starts with."""

    __slots__ = ()


class MjVisualQuality(VisualQuality, layout=MODEL_LAYOUT, prefix="vis_quality_"):
    """Quality of rendering."""

    __slots__ = ()


class MjVisualHeadlight(VisualHeadlight, layout=MODEL_LAYOUT, prefix="vis_headlight_"):
    """The light at the camera."""

    __slots__ = ()


class MjVisualMap(VisualMap, layout=MODEL_LAYOUT, prefix="vis_map_"):
    """Mapping from physical quantities to lengths, and from distances to fog."""

    __slots__ = ()


class MjVisualScale(VisualScale, layout=MODEL_LAYOUT, prefix="vis_scale_"):
    """Sizes of decorations."""

    __slots__ = ()


class MjVisualRgba(VisualRgba, layout=MODEL_LAYOUT, prefix="vis_rgba_"):
    """Colours of decorations."""

    __slots__ = ()


class MjVisual(StructView):
    """Visual settings by section: `m.vis.headlight.ambient`, `m.vis.global_.fovy`; alone, those of a file that says nothing."""

    __slots__ = ("_global_", "_headlight", "_map", "_quality", "_rgba", "_scale")
    _names = ("global_", "headlight", "map", "quality", "rgba", "scale")

    Global, Quality, Headlight = MjVisualGlobal, MjVisualQuality, MjVisualHeadlight
    Map, Scale, Rgba = MjVisualMap, MjVisualScale, MjVisualRgba

    def __init__(self) -> None:
        """With the values that hold where nothing is said."""
        self._global_, self._quality, self._headlight = self.Global(), self.Quality(), self.Headlight()
        self._map, self._scale, self._rgba = self.Map(), self.Scale(), self.Rgba()

    @classmethod
    def of(cls, block: Block) -> Self:
        """The view into a model."""
        view = cls.__new__(cls)
        view._global_, view._quality = cls.Global.of(block), cls.Quality.of(block)
        view._headlight, view._map = cls.Headlight.of(block), cls.Map.of(block)
        view._scale, view._rgba = cls.Scale.of(block), cls.Rgba.of(block)
        return view

    def __setstate__(self, values: dict[str, StructView]) -> None:
        for name, section in values.items():
            getattr(self, name).__setstate__(section._values())

    @property
    def global_(self) -> MjVisualGlobal:
        """Settings of the whole picture and of the camera it starts with."""
        return self._global_

    @property
    def quality(self) -> MjVisualQuality:
        """Quality of rendering."""
        return self._quality

    @property
    def headlight(self) -> MjVisualHeadlight:
        """The light at the camera."""
        return self._headlight

    @property
    def map(self) -> MjVisualMap:
        """Mapping from physical quantities to lengths, and from distances to fog."""
        return self._map

    @property
    def scale(self) -> MjVisualScale:
        """Sizes of decorations."""
        return self._scale

    @property
    def rgba(self) -> MjVisualRgba:
        """Colours of decorations."""
        return self._rgba


setattr(MjVisual, "global", MjVisual.global_)  # the reference's name, which Python reserves: for getattr alone

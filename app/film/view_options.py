"""Drawing options as plain JSON: the switches of a view in a replay, so that its video looks like the view."""

from __future__ import annotations

from typing import Any

from tumble.render.options import MODES, NGROUP, FrameMode, LabelMode, RenderOptions

SWITCHES = (*(name for name, kind in RenderOptions.__annotations__.items() if kind == "bool" and name != "background"), *MODES)
NUMBERS = {"force_size": (0.1, 10.0)}  # with their valid ranges
GROUPS = tuple(name for name in RenderOptions.__struct_fields__ if name.endswith("_group"))


def options_to(options: RenderOptions) -> dict[str, Any]:
    """Options as JSON; labels and frames of the selection become none, as nothing is selected in a replay."""
    label = LabelMode.NONE if options.label.name.startswith("SELECTION") else options.label
    return (
        {name: options.is_on(name) for name in SWITCHES}
        | {name: [bool(on) for on in getattr(options, name)] for name in GROUPS}
        | {name: float(getattr(options, name)) for name in NUMBERS}
        | {"label": label.name, "frame": options.frame.name}
    )


def options_from(view: object) -> RenderOptions:
    """The options that `options_to` wrote; missing or invalid ones get their defaults."""
    result = RenderOptions()
    take_options(result, view)
    return result


def take_options(options: RenderOptions, view: object) -> None:
    """Set options from the values of `options_to`; missing or invalid ones stay as they are."""
    if not isinstance(view, dict):
        return
    for name in SWITCHES:
        if isinstance(view.get(name), bool):
            options.switch(name, view[name])
    for name in GROUPS:
        group = view.get(name)
        if isinstance(group, list) and len(group) == NGROUP and all(isinstance(on, bool) for on in group):
            getattr(options, name)[:] = group
    for name, (least, most) in NUMBERS.items():
        number = view.get(name)
        if isinstance(number, int | float) and not isinstance(number, bool) and least <= number <= most:
            setattr(options, name, float(number))
    if view.get("label") in tuple(LabelMode.__members__):
        options.label = LabelMode[view["label"]]
    if view.get("frame") in tuple(FrameMode.__members__):
        options.frame = FrameMode[view["frame"]]

"""Makes the files that the bundled scenes are built from: `python -m resources.make_assets` writes resources/models/assets.

Shapes, terrain, pictures and skins come from formulas, so that nothing in there is of unknown origin and every part can be
changed at its source. Made again, each file has the same bytes.
"""

"""The abstract scene, under the names of the reference: visible geoms, cameras and lights, as structures.

`update.mjv_updateScene` lists it from a model and its data, programs add their own geoms, and `render.mjr` draws the list.
Nothing here knows of OpenGL.
"""

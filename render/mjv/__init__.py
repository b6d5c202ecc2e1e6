"""The abstract picture, under the names of the reference: what is seen, from where and in which light, as structures.

`update.mjv_updateScene` lists it from a model and its data, programs add geoms of their own, and `render.mjr` draws the list.
Nothing here knows of OpenGL.
"""

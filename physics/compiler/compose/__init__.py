"""Composition: what a model makes of parts, its own and those of other models, before anything is compiled.

`compose` gives the tree of elements with every <replicate>, <attach> and <composite> expanded, in document order and from
the inside out, as the reference does. The operations it uses change a tree of elements and know nothing of how it was
read; a script that edits a model can use them as well:

    composed_elements   copy, count, rename elements; the names that are declared and referred to; what goes with a part of a tree
    keyframes           what keyframes say about each element, also for copies of it
    assembly            a model that is being put together: replicate a part of it, attach a part of another model
"""

from tumble.physics.compiler.compose.expand import compose

__all__ = ["compose"]

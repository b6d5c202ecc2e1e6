"""Kernels: how a Python function becomes one, and where its machine code comes from.

A *kernel* is a leaf: it is compiled into whatever calls it. A *stage* is a part of the pipeline with the signature
`(m, d)`; it is compiled on its own to a plain function pointer, so that a model pays only for what it uses, no caller
re-optimizes it, and the step calls it through a table. A *query* is a function that Python calls with numbers and addresses.

The code is found in this order, each time by the digest of the sources that it was made from (digest.py):

    library.py   the libraries that the program comes with, one for each system and processor
    cache.py     what was compiled before on this computer
    compile.py   numba: for another processor, a changed source, a function of the user's

Nothing but compile.py imports numba, and only load.py LLVM, so that they are not there if nothing has to be compiled.
"""

from tumble.physics.kernel.function import Compiled, Kernel, Query, Stage, exact, kernel, query, run, stage

__all__ = ["Compiled", "Kernel", "Query", "Stage", "exact", "kernel", "query", "run", "stage"]

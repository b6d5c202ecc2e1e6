"""numba's passes, as far as kernels need them.

Kernels have no closures, no literal unrolling, no generators, no sums of whole arrays, nothing to be run in parallel by numba and
no reader of annotations: the passes for those take a fifth of the time that numba's own Python takes, and are left out.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager

_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class KernelCompiler(CompilerBase):
    """numba's compiler with fewer passes."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline, of the passes that kernels need; numba calls this."""
        manager = PassManager("kernel")
        for step in _PASSES:
            manager.add_pass(step, step.__name__)
        manager.finalize()
        return [manager]

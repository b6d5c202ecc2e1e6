"""The wheel holds kernels compiled for one kind of machine, so its name says which; all else is in pyproject.toml."""

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class WithKernels(Distribution):
    """A distribution that is not the same on every platform."""

    def has_ext_modules(self) -> bool:
        """Python asks so whether there is anything compiled in it."""
        return True


class PlatformWheel(bdist_wheel):
    """A wheel for every Python 3 of this platform: the kernels do not know Python."""

    def get_tag(self) -> tuple[str, str, str]:
        """Python, interface, platform."""
        return "py3", "none", super().get_tag()[2]


setup(distclass=WithKernels, cmdclass={"bdist_wheel": PlatformWheel})

"""The bundled models, in the order of the menu."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from tumble.app.look.theme import RESOURCES


class Example(Struct, frozen=True):
    """A bundled model or study: its file and its menu entry."""

    file: str
    title: str

    @property
    def path(self) -> Path:
        """Path of the file."""
        return RESOURCES / "models" / self.file


EXAMPLES = (
    Example("tumbler.xml", "Tumbler and pendulum wave"),
    Example("figure.xml", "Figure with position servos"),
    Example("double_pendulum.xml", "Double pendulum"),
    Example("slope.xml", "Boxes on a slope"),
    Example("arm.xml", "Robot arm with gripper"),
    Example("rover.xml", "Rover in the hills"),
    Example("dominoes.xml", "Dominoes"),
    Example("columns.xml", "Columns that stand"),
    Example("metronomes.xml", "Metronomes on a board"),
    Example("crane.xml", "Crane with a magnet on a cable"),
    Example("eel.xml", "Eel among kelp"),
    Example("tendons.xml", "Muscles, block and tackle"),
    Example("mechanism.xml", "Engine, gears and levers"),
    Example("drone.xml", "Drone with all sensors"),
    Example("gallery.xml", "Gallery of shapes and surfaces"),
    Example("rollers.xml", "Plank on rollers"),
    Example("contacts.xml", "Ten contacts: stick, slip, open"),
    Example("nut.xml", "Nut on a bolt"),
    Example("plugins.xml", "Plugins: PID, cables, touch, rings"),
    Example("cards.xml", "Cards in a breeze"),
    Example("motor.xml", "Pendulum with a motor"),
    Example("slider_crank.xml", "Slider-crank"),
    Example("adhesion.xml", "Arms with adhesion"),
    Example("thrust.xml", "Six cubes with thrust"),
    Example("hammock.xml", "Hammock with balls"),
    Example("cloth.xml", "Cloth over a sphere"),
    Example("jelly.xml", "Soft cubes on stairs"),
    Example("rope.xml", "Ropes over a beam"),
)

STUDIES = (
    Example("slope_study.toml", "Study of a sliding box"),
    Example("slope_sensitivity.toml", "Study of what makes it slide"),
    Example("double_pendulum_study.toml", "Study of time steps and energy"),
    Example("arm_study.toml", "Study of a gain"),
    Example("motor_fit.toml", "Fit of a measured pendulum"),
)


def is_bundled(path: Path) -> bool:
    """True for a model of the program: such files must not be changed."""
    return path.resolve().is_relative_to(RESOURCES.resolve())


# Opened when no model is given.
FIRST = EXAMPLES[0]

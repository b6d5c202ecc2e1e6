"""The enumerations of MJCF, of the engine and of pictures, under MuJoCo's names and with its numbers."""

from physics.state.enums.elements import *
from physics.state.enums.engine import *
from physics.state.enums.picture import *
from physics.state.enums.spec import *

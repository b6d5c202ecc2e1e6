"""The enumerations of MJCF, of the engine and of pictures, under MuJoCo's names and with its numbers."""

from tumble.physics.state.enums.elements import *
from tumble.physics.state.enums.engine import *
from tumble.physics.state.enums.picture import *
from tumble.physics.state.enums.spec_enums import *

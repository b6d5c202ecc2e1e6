"""Elements that relate bodies, joints and geoms: actuators, equalities, pairs, sensors, tendons."""

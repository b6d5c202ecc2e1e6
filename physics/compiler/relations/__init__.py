"""What relates bodies, joints and geoms: actuators, equalities, pairs, sensors, tendons."""

"""When which geoms touched, stuck, slipped and parted."""

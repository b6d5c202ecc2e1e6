"""The actuators panel: a page an actuator, from its control to the forces on joints."""

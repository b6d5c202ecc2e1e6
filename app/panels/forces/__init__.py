"""Forces and torques that the user applies to bodies and along joints, until they are switched off."""

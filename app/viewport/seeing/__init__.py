"""What the mouse finds in the view: choosing it, its name under the resting mouse, and boxes around several."""

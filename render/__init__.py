"""The renderer: from a model and a frame of poses to pixels, with moderngl and without Qt.

The way of the data: `frame.Frame` (poses at one moment) -> `scene.scene.Scene` (draw list) -> `renderer.Renderer` (passes) ->
pixels. `camera` holds the cameras and their gestures as functions, `picking` the object under a pixel, `offscreen` a renderer
that needs no window. The model is duck-typed: any object with the names and shapes of MjModel serves.
"""

if __name__ == "render":  # from a checkout's folder, where all would exist twice
    raise ModuleNotFoundError("it is tumble.render", name="render")

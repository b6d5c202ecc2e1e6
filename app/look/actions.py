"""Every action of the window, declared once: name, text, key and icon. Keys are those of `simulate`."""

from __future__ import annotations

from msgspec import Struct
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QWidget

from tumble.app.base.keys_in_text import with_keys
from tumble.app.look import theme
from tumble.render.options import FrameMode, LabelMode


class ActionSpec(Struct, frozen=True):
    """An action: name, the text in menus, keys in Qt's portable form, icon, whether it is a switch."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    tip: str = ""


FILE = (
    ActionSpec("open", "&Open…", ("Ctrl+O",), "open", tip="Open a model or a replay"),
    ActionSpec("library", "Open &model library…", ("Ctrl+Shift+O",), tip="All models that can be opened by name, with pictures"),
    ActionSpec("reload", "&Reload", ("Ctrl+L",), "reload", tip="Read the model file again, and reset the state"),
    ActionSpec("reload_on_save", "Reload on sa&ve", checkable=True, tip="Reload when the file is saved; time and state are kept"),
    ActionSpec("new_controller", "Ne&w controller…", tip="Write a Python file that controls this model, and edit it"),
    ActionSpec("open_controller", "Run a co&ntroller…", tip="Run a Python file with control(model, data) at every step"),
    ActionSpec("save_model", "&Save as MJCF…", ("Ctrl+S",), tip="Save the whole model as it is now, edits included, as one file"),
    ActionSpec("save_replay", "Save re&play…", ("Ctrl+Shift+S",), tip="Save the history, to play it again bit for bit"),
    ActionSpec("record", "Record &video…", ("Ctrl+R",), "record", tip="Record what the view shows"),
    ActionSpec("export", "&Export video…", ("Ctrl+E",), tip="Make a video of the history, at exact frame times"),
    ActionSpec("print_model", "Print &model…", tip="Write every field of the model to a text file"),
    ActionSpec("print_data", "Print &data…", tip="Write every field of the data, as it is now, to a text file"),
    ActionSpec("save_binary", "Save &compiled model…", tip="Save the compiled model: it opens without its source files"),
    ActionSpec("screenshot", "Save &screenshot…", ("Ctrl+P",), "camera", tip="Save a picture of the view"),
    ActionSpec("quit", "&Quit", ("Ctrl+Q",)),
)
EDIT = (
    ActionSpec("undo", "&Undo", ("Ctrl+Z",), "undo", tip="Undo the last change to the model"),
    ActionSpec("redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), tip="Redo the change that was undone"),
    ActionSpec("copy_state", "&Copy state", ("Ctrl+C",), tip="Copy the state as a <key> element, at full precision"),
    ActionSpec("copy_state_text", "Copy state as te&xt", tip="Copy the state as text that Python can read"),
    ActionSpec("copy_camera", "Copy c&amera", ("Ctrl+Shift+C",), tip="Copy the camera as a <camera> element"),
    ActionSpec("copy_camera_text", "Copy camera as &text", tip="Copy the numbers of a free camera, one per line"),
    ActionSpec("paste_state", "&Paste state or camera", ("Ctrl+V",), tip="Set the state or the camera from the clipboard"),
    ActionSpec("restore", "Re&vert to the file", tip="Restore all changed values from the file"),
    ActionSpec("write", "&Write to the MJCF file…", tip="Show what would change in the MJCF file, and save it there"),
    ActionSpec("write_keys", "Write &keyframes to the MJCF file…", tip="Show what keyframes would change in the file"),
    ActionSpec("preferences", "Pre&ferences…", ("Ctrl+,",), "sliders", tip="Change settings and the keys of actions"),
)
SIMULATION = (
    ActionSpec("pause", "&Pause", ("Space",), "pause", tip="Pause or play"),
    ActionSpec("step", "S&tep", ("Right",), "step", tip="Pause, and take a step"),
    ActionSpec("back", "Step &back", ("Left",), tip="Pause, and go back a step"),
    ActionSpec("backwards", "T&ime backwards", ("Shift+Left",), tip="Compute a step into the past by RK4 if nothing brakes"),
    ActionSpec("reset", "&Reset", ("Backspace",), "reset", tip="Back to the initial state"),
    ActionSpec("faster", "&Faster", ("=", "+"), tip="Run faster"),
    ActionSpec("slower", "S&lower", ("-",), tip="Run slower"),
    ActionSpec("bookmark", "&Bookmark", ("Ctrl+B",), "flag", tip="Bookmark the present moment on the timeline"),
    ActionSpec("save_keyframe", "Save as &keyframe", ("Ctrl+Shift+K",), tip="Save the present state as a keyframe, by name"),
    ActionSpec("return_branch", "Ret&urn to the previous branch", ("Ctrl+Shift+B",), tip="Swap the present for it"),
    ActionSpec("fork", "F&ork now", ("Ctrl+D",), tip="Simulate a copy of the present state, shown as a ghost"),
    ActionSpec("clear_ctrl", "&Clear controls", tip="Set all controls to zero, and stop the generators that move them"),
    ActionSpec("stop_controller", "Stop the c&ontroller", tip="Stop running the controller"),
    ActionSpec("collision", "Inspect a co&llision", ("Ctrl+Shift+P",), tip="Explain why two geoms collide or not, step by step"),
    ActionSpec("explain", "Explain the last blo&w-up", tip="Go back to before the state blew up, and show the cause"),
)
CAMERA = (
    ActionSpec("align", "&Align camera", ("Ctrl+A",), "target", tip="Show the whole model"),
    ActionSpec("free_camera", "&Free camera", ("Esc",)),
    ActionSpec("next_camera", "&Next camera", ("]",)),
    ActionSpec("previous_camera", "&Previous camera", ("[",)),
    ActionSpec("select_parent", "Select p&arent body", ("PgUp",)),
    ActionSpec("orthographic", "&Orthographic", ("Alt+0",), checkable=True, tip="Parallel lines stay parallel: no perspective"),
    ActionSpec("save_view", "Save this &view…", ("Ctrl+Shift+V",), tip="Save this camera by name, for this file"),
    ActionSpec("axes", "A&xes in the corner", checkable=True, tip="Axes that turn with the view: click one to look along it"),
    ActionSpec("hover", "Names &under the mouse", checkable=True, tip="Name the object under the mouse in the view"),
    ActionSpec("reset_flags", "&Reset drawing options", tip="Restore the default drawing options of the active view"),
    ActionSpec("smooth_camera", "&Smooth camera moves", checkable=True, tip="Animate the camera from one view to the next"),
)
SEVERAL = (
    ActionSpec("views_one", "&One view", ("Ctrl+Alt+1",), checkable=True),
    ActionSpec("views_beside", "Two &side by side", ("Ctrl+Alt+2",), checkable=True, tip="Two views, side by side"),
    ActionSpec("views_stacked", "Two, one &below the other", ("Ctrl+Alt+3",), checkable=True),
    ActionSpec("views_four", "&Four", ("Ctrl+Alt+4",), checkable=True, tip="Four views"),
    ActionSpec("views_large", "One large, &three small", ("Ctrl+Alt+5",), checkable=True),
    ActionSpec("views_inset", "&Picture in picture", ("Ctrl+Alt+6",), checkable=True, tip="A small view over a large one"),
    ActionSpec("only_view", "O&nly the active view", ("F8",), checkable=True, tip="Maximize the active view, or restore all"),
    ActionSpec("next_view", "Ne&xt view", ("Shift+F8",), tip="Make the next view active: keys and menus act on it"),
    ActionSpec("inset_corner", "&Move the small view", ("Ctrl+Alt+7",), tip="Move the picture in the picture to the next corner"),
)
# Views that the user has saved, by their keys; their texts become their names.
VIEWS = tuple(ActionSpec(f"view_{i}", f"Saved view {i}", (f"Alt+{i}",), tip=f"Saved view {i}") for i in range(1, 10))
POSING = (
    ActionSpec("gizmo", "&Handles", ("Ctrl+G",), "move", checkable=True, tip="Move and turn the selected free or mocap body"),
    ActionSpec("gizmo_local", "Handles along the &body's axes", checkable=True, tip="The body's axes instead of the world's"),
    ActionSpec("gizmo_snap", "Handles &snap", checkable=True, tip="Move and turn in steps; Ctrl does so for one drag"),
    ActionSpec("snap_steps", "Snap s&teps…", tip="Set the steps in which handles move and turn a body"),
)
MEASURING = (
    ActionSpec("measure", "&Measure points", ("Ctrl+M",), "measure", checkable=True, tip="Click two points: their distance"),
    ActionSpec("measure_bodies", "Measure b&odies", ("Ctrl+Shift+M",), checkable=True,
               tip="Click two bodies: the shortest distance between them"),
    ActionSpec("copy_measure", "&Copy the measured distance", tip="Put the measured distance on the clipboard"),
)  # fmt: skip
MOTION = (
    ActionSpec("trail", "&Trail of the selected body", ("Ctrl+T",), checkable=True, tip="Show where the selected body has been"),
    ActionSpec("no_trails", "&Remove all trails", tip="Remove the trails of all bodies"),
    ActionSpec("trail_origin", "Trails of bodies' &origins", checkable=True, tip="Draw trails of the origins of bodies"),
    ActionSpec("trail_centre", "Trails of &centres of mass", checkable=True, tip="Draw trails of the centres of mass of bodies"),
    ActionSpec("trail_picked", "Trails of &picked points", checkable=True,
               tip="Draw trails of the points at which bodies were selected"),
    ActionSpec("past_ghosts", "&Ghosts of the past", ("Ctrl+Shift+G",), checkable=True, tip="Draw earlier poses, transparent"),
    ActionSpec("smooth_motion", "&Smooth slow motion", checkable=True, tip="Draw interpolated poses between two steps"),
)  # fmt: skip
TOOLS = (
    ActionSpec("check", "&Doctor", tip="Run a copy for a second, and list what is wrong with the model, its start and its run"),
    ActionSpec("editor", "&Text editor…", tip="Choose the text editor that opens files at the line of an error"),
)
WINDOW = (
    ActionSpec("next_part", "&Next part", ("Ctrl+F6", "Ctrl+Tab"), tip="Focus the next panel or view"),
    ActionSpec("previous_part", "&Previous part", ("Ctrl+Shift+F6", "Ctrl+Shift+Backtab"), tip="Focus the panel or view before"),
    ActionSpec("fullscreen", "&Full screen", ("F5",), checkable=True),
    ActionSpec("reset_layout", "Reset la&yout"),
)
LAYOUTS = (
    ActionSpec("layout_simulate", "&Simulate", ("Ctrl+1",), tip="Joints, model, controls: the panels for running a model"),
    ActionSpec("layout_contact", "&Tune a contact", ("Ctrl+2",), tip="Parameters at the right, contacts and their events below"),
    ActionSpec("layout_solver", "&Look into the solver", ("Ctrl+3",), tip="Islands and options at the sides, the solver below"),
    ActionSpec("layout_film", "&Film", ("Ctrl+4",), tip="The camera's path at the right, the timeline below"),
    ActionSpec("own_layouts", "Saved lay&outs…", ("Ctrl+5",), tip="Save this layout by name; apply, rename or delete others"),
    ActionSpec("left_panels", "L&eft panels", ("Tab",), checkable=True),
    ActionSpec("right_panels", "&Right panels", ("Shift+Tab", "Shift+Backtab"), checkable=True),
    ActionSpec("fold_bottom", "Fold the &bottom", ("Ctrl+J",), tip="Fold the panels below to their tabs, and bring them back"),
)
LOOKS = (
    ActionSpec("theme_system", "&System", checkable=True, tip="Follow the theme of the desktop"),
    ActionSpec("theme_dark", "&Dark", checkable=True, tip="Light text on dark ground"),
    ActionSpec("theme_light", "&Light", checkable=True, tip="Dark text on light ground"),
    ActionSpec("larger_text", "Lar&ger text", ("Ctrl++", "Ctrl+="), tip="Larger text everywhere, up to 200 %"),
    ActionSpec("smaller_text", "S&maller text", ("Ctrl+-",), tip="Smaller text everywhere, down to 80 %"),
    ActionSpec("normal_text", "&Normal text", ("Ctrl+0",), tip="Text in its usual size"),
)
HELP = (
    ActionSpec("palette", "&Find anything…", ("Ctrl+K",), tip="Search actions, panels, elements and signals by a few letters"),
    ActionSpec("help", "&Mouse and keys", ("F1",), "help", checkable=True, tip="Show mouse gestures and keys"),
    ActionSpec("tour", "&Take the tour", tip="Two minutes, step by step, on this window"),
    ActionSpec("reading", "&Reading the seeds", tip="The theory section by section: where each formula lives in this window"),
    ActionSpec("info", "&Simulation info", ("F2",), "info", checkable=True, tip="Show sizes of the model and of the last step"),
    ActionSpec("profiler", "&Profiler", ("F3",), checkable=True, tip="Plots over the view: time of a step, iterations, sizes"),
    ActionSpec("sensors", "S&ensors", ("F4",), checkable=True, tip="Show sensor readings over the view"),
    ActionSpec("report", "Save a &bundle for a bug report…", tip="The last seconds, the model, the log and versions in one file"),
    ActionSpec("about", "&About Tumble"),
)
# Switches of tumble.render.options.RenderOptions, by field name.
VISUALIZATION = (
    ActionSpec("convex_hull", "Convex hull", ("H",), checkable=True, tip="Show colliding meshes as their convex hulls"),
    ActionSpec("texture", "Texture", ("X",), checkable=True),
    ActionSpec("joint", "Joint", ("J",), checkable=True),
    ActionSpec("camera", "Camera", ("Q",), checkable=True),
    ActionSpec("actuator", "Actuator", ("U",), checkable=True),
    ActionSpec("activation", "Activation", (",",), checkable=True, tip="Colour actuators by their activation, not their control"),
    ActionSpec("light", "Light", ("Z",), checkable=True),
    ActionSpec("tendon", "Tendon", ("V",), checkable=True),
    ActionSpec("rangefinder", "Rangefinder", ("Y",), checkable=True, tip="Show the rays of rangefinders"),
    ActionSpec("equality", "Equality", ("E",), checkable=True, tip="Show the anchor points of connect and weld constraints"),
    ActionSpec("inertia", "Inertia", ("I",), checkable=True),
    ActionSpec("scale_inertia", "Scale inertia", ("'",), checkable=True, tip="Scale inertias as if bodies were of water"),
    ActionSpec("perturb_force", "Perturbation force", ("B",), checkable=True),
    ActionSpec("perturb_object", "Perturbed object", ("O",), checkable=True),
    ActionSpec("select_point", "Selected point", checkable=True),
    ActionSpec("contact_point", "Contact point", ("C",), checkable=True),
    ActionSpec("contact_force", "Contact force", ("F",), checkable=True),
    ActionSpec("contact_split", "Split contact force", ("P",), checkable=True, tip="Normal force and friction as two arrows"),
    ActionSpec("transparent", "Transparent", ("T",), checkable=True),
    ActionSpec("auto_connect", "Auto-connect", ("A",), checkable=True),
    ActionSpec("com", "Centre of mass", ("M",), checkable=True),
    ActionSpec("static", "Static body", ("D",), checkable=True),
    ActionSpec("skin", "Skin", (";",), checkable=True),
    ActionSpec("flex_vert", "Flex vertices", checkable=True, tip="Balls at the vertices of soft bodies, where their skin is off"),
    ActionSpec("flex_edge", "Flex edges", checkable=True, tip="Rods along the edges of soft bodies, where their skin is off"),
    ActionSpec("flex_face", "Flex faces", checkable=True, tip="Faces of the elements of soft bodies, where their skin is off"),
    ActionSpec("flex_skin", "Flex skin", checkable=True, tip="The surface of soft bodies, in place of vertices, edges and faces"),
    ActionSpec("body_tree", "Body tree", ("`",), checkable=True, tip="Bounding volumes over the geoms of bodies"),
    ActionSpec("mesh_tree", "Mesh tree", ("\\",), checkable=True, tip="Bounding volumes over the faces of meshes and flexes"),
    ActionSpec("island", "Islands", ("N",), checkable=True, tip="Colour by constraint island, darker where asleep"),
)
CONTACTS = (
    ActionSpec("friction_cone", "Friction cone", checkable=True, tip="The cone of the contact that is chosen, with its force"),
    ActionSpec("contact_patch", "Contact patches", checkable=True,
               tip="The area between the contacts of a pair, coloured by its pressure"),
    ActionSpec("contact_past", "Contacts just ended", checkable=True,
               tip="With contact points: rings that fade where contacts have ended"),
)  # fmt: skip
RENDERING = (
    ActionSpec("shadow", "Shadow", ("S",), checkable=True),
    ActionSpec("wireframe", "Wireframe", ("W",), checkable=True),
    ActionSpec("depth", "Depth", ("Shift+D",), checkable=True, tip="Grey by distance: bright where near, scaled to what is seen"),
    ActionSpec("segmentation", "Segmentation", ("Shift+S",), checkable=True, tip="Each object in its own colour, unlit"),
    ActionSpec("reflection", "Reflection", ("R",), checkable=True),
    ActionSpec("additive", "Additive", ("L",), checkable=True),
    ActionSpec("skybox", "Skybox", ("K",), checkable=True),
    ActionSpec("fog", "Fog", ("G",), checkable=True),
    ActionSpec("haze", "Haze", ("/",), checkable=True),
    ActionSpec("classic", "Classic look", checkable=True, tip="Light, shadows and haze by the rules of MuJoCo's renderer"),
)
EXPORTS = ("print_model", "print_data", "save_binary")  # files of other forms, in their own menu
MORE_GROUPS = ("joint", "tendon", "actuator", "skin", "flex")  # kinds whose groups have no keys
GROUPS = (
    *(ActionSpec(f"geom_group_{i}", f"Geom group {i}", (str(i),), checkable=True) for i in range(6)),
    *(ActionSpec(f"site_group_{i}", f"Site group {i}", (f"Shift+{i}",), checkable=True) for i in range(6)),
    *(ActionSpec(f"{k}_group_{i}", f"{k.capitalize()} group {i}", checkable=True) for k in MORE_GROUPS for i in range(6)),
)
FRAMES = ActionSpec("frames", "Ne&xt kind of frames", ("F6",), tip="Cycle through the types of coordinate frames")
ARROWS = (
    ActionSpec("longer_arrows", "Longer force arrows", tip="Lengthen the arrows of contact forces, up to ten times"),
    ActionSpec("shorter_arrows", "Shorter force arrows", tip="Shorten the arrows of contact forces, down to a tenth"),
)
FLEX_LAYER = ActionSpec("flex_layer", "Flex layer", tip="Cycle through the layers of solids drawn by their faces")
TREE_DEPTH = ActionSpec("tree_depth", "Depth of trees", tip="Cycle through the depths of the trees of bounding volumes")
LABELS = ActionSpec("labels", "Ne&xt kind of labels", ("F7",), tip="Cycle through the kinds of labels")
_KINDS = {
    LabelMode.NONE: "No labels", LabelMode.CONSTRAINT: "Equalities", LabelMode.SELECTION: "Selected body",
    LabelMode.SELECTION_POINT: "Selected point", LabelMode.CONTACT_POINT: "Contact points",
    LabelMode.CONTACT_FORCE: "Contact forces", LabelMode.BODY: "Bodies", LabelMode.FLEX: "Soft bodies",
}  # fmt: skip
LABEL_KINDS = tuple(
    ActionSpec(f"label_{k.name.lower()}", _KINDS.get(k, f"{k.name.capitalize()}s"), checkable=True) for k in LabelMode
)
_FRAME_KINDS = {FrameMode.NONE: "No frames", FrameMode.BODY: "Bodies", FrameMode.WORLD: "World"}
FRAME_KINDS = tuple(
    ActionSpec(f"frame_{k.name.lower()}", _FRAME_KINDS.get(k, f"{k.name.capitalize()}s"), checkable=True) for k in FrameMode
)

GESTURES = (
    ("drag", "orbit"),
    ("right drag", "pan (Shift: in the floor's plane)"),
    ("scroll, middle drag", "zoom"),
    ("rest", "name the object there (View menu, Names under the mouse)"),
    ("double click", "select a body, or choose a contact that is shown"),
    ("Shift + drag", "box selection: edit the geoms of all visible bodies in it together"),
    ("Shift + double click", "explain whether this geom collides with the one selected before"),
    ("click", "choose a contact point, or none, where they are shown (C) and the Contacts panel is open"),
    ("right double click", with_keys("centre the camera (Ctrl: follow the body)")),
    (with_keys("Ctrl + click"), "add a geom to those edited together in the Parameters panel"),
    (with_keys("Ctrl + drag"), "turn the selected body; pull a soft one"),
    (with_keys("Ctrl + right drag"), "pull the selected body (Shift: in the floor's plane); paused: move it, or bend the limb"),
)


def make(specs: tuple[ActionSpec, ...] | list[ActionSpec], window: QWidget) -> dict[str, QAction]:
    """The actions; their keys work in the whole window, see tumble.app.preferences.keyboard."""
    result = {}
    for spec in specs:
        action = QAction(spec.text, window)
        action.setObjectName(spec.name)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setCheckable(spec.checkable)
        if spec.icon:
            action.setIcon(theme.icon(spec.icon))
        action.setProperty("tip", with_keys(spec.tip or plain(spec.text)))
        show_keys(action)
        window.addAction(action)
        result[spec.name] = action
    return result


def show_keys(action: QAction) -> None:
    """Write the present key of an action into its tip."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    tip = action.property("tip") or plain(action.text())
    action.setToolTip(f"{tip}  ({keys})" if keys else tip)


def plain(text: str) -> str:
    """The text of an action without the mark of its mnemonic."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


# Why an action is disabled, unless its property `why` gives a reason.
_REASONS = {"undo": "nothing to undo", "redo": "nothing to redo"}


def why_disabled(action: QAction) -> str:
    """Why an action cannot be triggered now; "" if it can."""
    if action.isEnabled():
        return ""
    return str(action.property("why") or _REASONS.get(action.objectName(), "not possible now"))

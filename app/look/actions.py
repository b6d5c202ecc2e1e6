"""Every action of the window, declared once: its name, its words, its key and its icon. Keys are those of `simulate`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QWidget

from app.look import theme


class KeyScope(Enum):
    """Where a key works: anywhere in the window, or only in the view if other widgets need it themselves."""

    WINDOW = auto()
    VIEW = auto()


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """An action: name, the text in menus, keys in Qt's portable form, icon, where the keys work, whether it is a switch."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    where: KeyScope = KeyScope.WINDOW
    checkable: bool = False
    tip: str = ""


FILE = (
    ActionSpec("open", "&Open…", ("Ctrl+O",), "open", tip="Open a model or a replay"),
    ActionSpec("library", "Open &model library…", ("Ctrl+Shift+O",), tip="All models that are known by name, with pictures"),
    ActionSpec("reload", "&Reload", ("Ctrl+L",), "reload", tip="Read the model file again, and reset the state"),
    ActionSpec("reload_on_save", "Reload on sa&ve", checkable=True, tip="Reload when the file is saved; time and state are kept"),
    ActionSpec("open_controller", "Run a co&ntroller…", tip="Run a Python file with control(model, data) at every step"),
    ActionSpec("save_replay", "Save re&play…", ("Ctrl+S",), tip="Save the history, to play it again bit for bit"),
    ActionSpec("record", "Record &video…", ("Ctrl+R",), "record", tip="Record what the view shows"),
    ActionSpec("export", "&Export video…", ("Ctrl+E",), tip="Make a video of the history, at exact frame times"),
    ActionSpec("screenshot", "Save &screenshot…", ("Ctrl+P",), "camera", tip="Save a picture of the view"),
    ActionSpec("copy_state", "&Copy state", ("Ctrl+C",), tip="Copy the state as a <key> element, at full precision"),
    ActionSpec("paste_state", "P&aste state", ("Ctrl+V",), tip="Take the state of the <key> element on the clipboard, and pause"),
    ActionSpec("quit", "&Quit", ("Ctrl+Q",)),
)
EDIT = (
    ActionSpec("undo", "&Undo", ("Ctrl+Z",), "undo", tip="Take back the last change to the model"),
    ActionSpec("redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), tip="Make the change again that was taken back"),
    ActionSpec("restore", "&Back to the file", tip="Bring all changed values back to those of the file"),
    ActionSpec("write", "&Write to the MJCF file…", tip="Show what would change in the MJCF file, and save it there"),
)
SIMULATION = (
    ActionSpec("pause", "&Pause", ("Space",), "pause", tip="Pause or play"),
    ActionSpec("step", "S&tep", ("Right",), "step", KeyScope.VIEW, tip="Pause, and take a step"),
    ActionSpec("back", "Step &back", ("Left",), where=KeyScope.VIEW, tip="Pause, and go back a step"),
    ActionSpec("reset", "&Reset", ("Backspace",), "reset", KeyScope.VIEW, tip="Back to the initial state"),
    ActionSpec("faster", "&Faster", ("=", "+"), tip="Run faster"),
    ActionSpec("slower", "S&lower", ("-",), tip="Run slower"),
    ActionSpec("bookmark", "&Bookmark", ("Ctrl+B",), "flag", tip="Bookmark the present moment on the time line"),
    ActionSpec("fork", "F&ork now", ("Ctrl+D",), tip="Fork the present state: it continues as a ghost"),
    ActionSpec("clear_ctrl", "&Clear controls", tip="Set all controls to zero, and stop what moves them by itself"),
    ActionSpec("stop_controller", "Stop the c&ontroller", tip="Run the controller no more"),
    ActionSpec("collision", "Look at a co&llision", ("Ctrl+K",), tip="Two geoms: why they collide or not, step by step"),
    ActionSpec("explain", "Explain the last blo&w-up", tip="Go back to before the state blew up, and say what did it"),
)
CAMERA = (
    ActionSpec("align", "&Align camera", ("Ctrl+A",), "target", tip="Look at the whole model"),
    ActionSpec("free_camera", "&Free camera", ("Esc",), where=KeyScope.VIEW),
    ActionSpec("next_camera", "&Next camera", ("]",)),
    ActionSpec("previous_camera", "&Previous camera", ("[",)),
    ActionSpec("select_parent", "Select p&arent body", ("PgUp",), where=KeyScope.VIEW),
)
WINDOW = (
    ActionSpec("left_panels", "&Left panels", ("Tab",), where=KeyScope.VIEW, checkable=True),
    ActionSpec("right_panels", "&Right panels", ("Shift+Tab", "Shift+Backtab"), where=KeyScope.VIEW, checkable=True),
    ActionSpec("fullscreen", "&Full screen", ("F5",), checkable=True),
    ActionSpec("reset_layout", "Reset la&yout"),
)
LAYOUTS = (
    ActionSpec("layout_simulate", "&Simulate", ("Ctrl+1",), tip="Joints, model, controls: the panels for running a model"),
    ActionSpec("layout_contact", "&Tune a contact", ("Ctrl+2",), tip="Parameters at the right, contacts and their events below"),
    ActionSpec("layout_solver", "&Look into the solver", ("Ctrl+3",), tip="Islands and options at the sides, the solver below"),
    ActionSpec("layout_film", "&Film", ("Ctrl+4",), tip="The camera's path at the right, the time line below"),
    ActionSpec("own_layouts", "&Own layouts…", ("Ctrl+5",), tip="Save the present layout by a name; show, rename, delete others"),
    ActionSpec("fold_bottom", "Fold the &bottom", ("Ctrl+J",), tip="Fold the panels below to their tabs, and bring them back"),
)
LOOKS = (
    ActionSpec("theme_system", "&System", checkable=True, tip="Dark or light, as the desktop is"),
    ActionSpec("theme_dark", "&Dark", checkable=True, tip="Light text on dark ground"),
    ActionSpec("theme_light", "&Light", checkable=True, tip="Dark text on light ground"),
    ActionSpec("larger_text", "Lar&ger text", ("Ctrl++", "Ctrl+="), tip="Larger text everywhere, up to 200 %"),
    ActionSpec("smaller_text", "S&maller text", ("Ctrl+-",), tip="Smaller text everywhere, down to 80 %"),
    ActionSpec("normal_text", "&Normal text", ("Ctrl+0",), tip="Text in its usual size"),
)
HELP = (
    ActionSpec("help", "&Mouse and keys", ("F1",), "help", checkable=True, tip="Show mouse gestures and keys"),
    ActionSpec("tour", "&Take the tour", tip="Two minutes, step by step, on this window"),
    ActionSpec("info", "&Simulation info", ("F2",), "info", checkable=True, tip="Show numbers of the simulation"),
    ActionSpec("report", "Save a &bundle for a bug report…", tip="The last seconds, the model, the log and versions in one file"),
    ActionSpec("about", "&About Tumble"),
)
# Switches of render.options.RenderOptions, by field name.
VISUALIZATION = (
    ActionSpec("convex_hull", "Convex hull", ("H",), checkable=True, tip="Show meshes that collide as the hulls they collide by"),
    ActionSpec("texture", "Texture", ("X",), checkable=True),
    ActionSpec("joint", "Joint", ("J",), checkable=True),
    ActionSpec("camera", "Camera", ("Q",), checkable=True),
    ActionSpec("actuator", "Actuator", ("U",), checkable=True),
    ActionSpec("light", "Light", ("Z",), checkable=True),
    ActionSpec("tendon", "Tendon", ("V",), checkable=True),
    ActionSpec("inertia", "Inertia", ("I",), checkable=True),
    ActionSpec("perturb_force", "Perturbation force", ("B",), checkable=True),
    ActionSpec("perturb_object", "Perturbed object", ("O",), checkable=True),
    ActionSpec("contact_point", "Contact point", ("C",), checkable=True),
    ActionSpec("contact_force", "Contact force", ("F",), checkable=True),
    ActionSpec("contact_split", "Split contact force", ("P",), checkable=True),
    ActionSpec("transparent", "Transparent", ("T",), checkable=True),
    ActionSpec("auto_connect", "Auto-connect", ("A",), checkable=True),
    ActionSpec("com", "Centre of mass", ("M",), checkable=True),
    ActionSpec("static", "Static body", ("D",), checkable=True),
    ActionSpec("skin", "Skin", (";",), checkable=True),
    ActionSpec("island", "Islands", ("N",), checkable=True, tip="Colour by constraint island, darker where asleep"),
)
RENDERING = (
    ActionSpec("shadow", "Shadow", ("S",), checkable=True),
    ActionSpec("wireframe", "Wireframe", ("W",), checkable=True),
    ActionSpec("reflection", "Reflection", ("R",), checkable=True),
    ActionSpec("additive", "Additive", ("L",), checkable=True),
    ActionSpec("skybox", "Skybox", ("K",), checkable=True),
    ActionSpec("fog", "Fog", ("G",), checkable=True),
    ActionSpec("haze", "Haze", ("/",), checkable=True),
)
GROUPS = tuple(ActionSpec(f"geom_group_{i}", f"Geom group {i}", (str(i),), checkable=True) for i in range(6)) + tuple(
    ActionSpec(f"site_group_{i}", f"Site group {i}", (f"Shift+{i}",), checkable=True) for i in range(6)
)
FRAMES = ActionSpec("frames", "Coordinate frames", ("F6",), tip="Cycle through the kinds of frames")
LABELS = ActionSpec("labels", "Labels", ("F7",), tip="Cycle through the kinds of labels")

GESTURES = (
    ("drag", "orbit"),
    ("right drag", "pan (Shift: in the floor's plane)"),
    ("scroll, middle drag", "zoom"),
    ("double click", "select a body"),
    ("Shift + double click", "does this geom collide with the one selected before, and why not?"),
    ("click", "choose a contact point, where they are shown (C) and the contacts panel is open"),
    ("right double click", "centre the camera (Ctrl: follow the body)"),
    ("Ctrl + drag", "turn the selected body"),
    ("Ctrl + right drag", "pull the selected body (Shift: in the floor's plane)"),
)


def make(specs: tuple[ActionSpec, ...] | list[ActionSpec], window: QWidget, view: QWidget) -> dict[str, QAction]:
    """The actions, each with keys that work where its specification says."""
    result = {}
    for spec in specs:
        action = QAction(spec.text, window)
        action.setObjectName(spec.name)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setCheckable(spec.checkable)
        if spec.icon:
            action.setIcon(theme.icon(spec.icon))
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tip = spec.tip or spec.text.replace("&", "")
        action.setToolTip(f"{tip}  ({keys})" if keys else tip)
        if spec.where is KeyScope.VIEW:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            view.addAction(action)
        else:
            window.addAction(action)
        result[spec.name] = action
    return result


def help_lines() -> list[tuple[str, str]]:
    """Gestures and keys with what they do, for the help over the view."""
    keys = [
        (" ".join(spec.keys[:1]), spec.tip or spec.text.replace("&", "").rstrip("…"))
        for spec in (*SIMULATION, *FILE, *EDIT, *CAMERA, *WINDOW, *HELP, FRAMES, LABELS)
        if spec.keys
    ]
    return [*keys, ("0 … 5", "Geom groups (Shift: site groups)"), ("letters", "Switches of the View menu")]

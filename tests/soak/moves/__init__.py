"""All actions of a soak, and how often each is played."""

from tests.soak.moves import course, files, panels, view
from tests.soak.player import Move

LOAD_ERRORS = ("tumble.app.session.session: ",)  # a broken file is told of in the log

MOVES = [
    Move("open", files.open_model, 3.0),
    Move("drop", files.drop_model),
    Move("broken", files.open_broken, 1.0, LOAD_ERRORS),
    Move("cancel load", files.open_and_cancel),
    Move("reload", files.reload),
    Move("save in editor", files.save_in_editor),
    Move("library", files.library, 0.3),
    Move("replay", files.replay, 1.0),
    Move("pause and step", course.pause_and_step),
    Move("rates", course.rates),
    Move("reset", course.reset),
    Move("scrub", course.scrub, 1.5),
    Move("time strip", course.time_strip),
    Move("bookmarks", course.bookmarks),
    Move("keyframes", course.keyframes),
    Move("breakpoints", course.breakpoints),
    Move("forks", course.forks),
    Move("generators", course.generators),
    Move("camera", view.camera, 2.0),
    Move("drag body", view.drag_body, 2.0),
    Move("look around", view.look_around, 0.7),
    Move("measure", view.measure, 0.7),
    Move("flags", view.flags),
    Move("insets", view.insets),
    Move("several views", view.several_views),
    Move("camera path", view.camera_path, 0.7),
    Move("edit", course.edit, 2.0),
    Move("write model", course.write_model, 1.0),
    Move("copy and paste", course.copy_and_paste),
    Move("check model", course.check_model, 0.5),
    Move("all panels", panels.all_panels, 0.2),
    Move("docks", panels.docks, 2.0),
    Move("layouts", panels.layouts),
    Move("use panel", panels.use_panel, 3.0),
    Move("any actions", panels.any_actions),
    Move("palette", panels.palette),
    Move("preferences", panels.preferences, 0.7),
    Move("record", files.record, 0.7),
    Move("screenshot", files.screenshot),
    Move("export", files.export, 0.4),
]

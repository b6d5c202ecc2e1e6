"""Results of a step in lists: contacts, warnings, timers, solver iterations; on their own and as `d.contact[i]`, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble.physics.state.layout import DATA_LAYOUT
from tumble.physics.state.structs.rows import row_column, rows_column

if TYPE_CHECKING:
    from tumble.physics.state.declared import groups

    ContactRow = groups.ContactRow
    ContactRows = groups.ContactRows
    SolverIterationRow = groups.SolverIterationRow
    SolverIterationRows = groups.SolverIterationRows
    TimerRow = groups.TimerRow
    TimerRows = groups.TimerRows
    WarningCountRow = groups.WarningCountRow
    WarningCountRows = groups.WarningCountRows
else:
    from tumble.physics.state.structs.rows import Row, Rows

    ContactRow = SolverIterationRow = TimerRow = WarningCountRow = Row
    ContactRows = SolverIterationRows = TimerRows = WarningCountRows = Rows


class MjContact(ContactRow, layout=DATA_LAYOUT, prefix="contact_"):
    """One contact, `d.contact[i]`; made alone, zeros. geom1 and geom2 are the numbers in geom."""

    __slots__ = ()
    if not TYPE_CHECKING:  # they are declared
        geom1, geom2 = row_column("contact_geom", 0), row_column("contact_geom", 1)


class MjContactList(ContactRows, layout=DATA_LAYOUT, row=MjContact, prefix="contact_"):
    """`d.contact`: the detected contacts; geom1 and geom2 are the columns of geom."""

    __slots__ = ()
    if not TYPE_CHECKING:
        geom1, geom2 = rows_column("contact_geom", 0), rows_column("contact_geom", 1)


class MjSolverStat(SolverIterationRow, layout=DATA_LAYOUT, prefix="solverstat_"):
    """One iteration of the solver, `d.solver[i]`; made alone, zeros."""

    __slots__ = ()


class MjSolverStatList(SolverIterationRows, layout=DATA_LAYOUT, row=MjSolverStat, prefix="solverstat_"):
    """`d.solver`: what is known of the iterations of each island."""

    __slots__ = ()


class MjTimerStat(TimerRow, layout=DATA_LAYOUT, prefix="timer_"):
    """The time that a part of the pipeline took, `d.timer[i]`; made alone, zeros."""

    __slots__ = ()


class MjTimerStatList(TimerRows, layout=DATA_LAYOUT, row=MjTimerStat, prefix="timer_"):
    """`d.timer`: one for each part of the pipeline (mjtTimer)."""

    __slots__ = ()


class MjWarningStat(WarningCountRow, layout=DATA_LAYOUT, prefix="warning_"):
    """Count of a warning, `d.warning[i]`; zeros if constructed alone."""

    __slots__ = ()


class MjWarningStatList(WarningCountRows, layout=DATA_LAYOUT, row=MjWarningStat, prefix="warning_"):
    """`d.warning`: one for each kind of warning (mjtWarning)."""

    __slots__ = ()

"""Taps as the step loop sees them: a chain of tables, and the function that each says is to look at a step.

`d.tap` is the address of the first table, each holds that of the next. physics/observe/tap.py makes and attaches them.
"""

from tumble.physics.kernel import kernel
from tumble.physics.parallel.atomic import address_of, run_lane
from tumble.physics.state.memory import f8_at, i8_at

# The words that every table begins with: address of the next table, 0: none; address of the function; steps seen so far;
# rows written so far; rows of the ring; its address; numbers in a row.
NEXT, FUNCTION, STEPS, COUNT, ROWS, RING, WIDTH, HEAD = range(8)


@kernel
def look(m, d):
    """Has every tap look at the step that was just made."""
    table = d.tap
    while table != 0:
        head = i8_at(table, HEAD)
        run_lane(head[FUNCTION], address_of(m), address_of(d), table)
        head[STEPS] += 1
        table = head[NEXT]


@kernel
def next_row(table):
    """The next row of a tap's ring, to be written; when the ring is full the oldest row is overwritten."""
    head = i8_at(table, HEAD)
    width = head[WIDTH]
    at = (head[COUNT] % head[ROWS]) * width
    head[COUNT] += 1
    return f8_at(head[RING] + 8 * at, width)

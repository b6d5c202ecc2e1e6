"""All memory of data at once: emptied, and copied."""

from __future__ import annotations

from tumble.physics.kernel import query
from tumble.physics.kernel.function import INT
from tumble.physics.run.room import take
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import ARRAYS, COPIED, Data
from tumble.physics.state.memory import f8_at, i8_table_at
from tumble.physics.state.model import Model


@query(INT, INT)
def clear(spans, count):
    """Fill memory with zeros; spans: address of rows of address and bytes. The last word may end behind the array."""
    table = i8_table_at(spans, count, 2)
    for k in range(count):
        words = f8_at(table[k, 0], (table[k, 1] + 7) // 8)
        for i in range(words.shape[0]):
            words[i] = 0.0


@query(INT, INT, INT)
def copy(to, source, count):
    """The same: copy memory to other memory of the same sizes."""
    table, from_table = i8_table_at(to, count, 2), i8_table_at(source, count, 2)
    for k in range(count):
        n = (table[k, 1] + 7) // 8
        words, from_words = f8_at(table[k, 0], n), f8_at(from_table[k, 0], n)
        for i in range(n):
            words[i] = from_words[i]


def clear_data(m: Model, d: Data) -> None:
    """Bring data to the initial state of their model, all awake."""
    take(m, d)
    try:
        spans = d.spans(ARRAYS)
        clear.call(spans.address, spans.count)
        d.begin(m)
    finally:
        d.give()


@checked
def mj_copyData(dest: Data, m: Model, src: Data) -> None:
    """Make `dest` equal to `src`; both must have the sizes of `m`. Capacities grow as needed."""
    take(m, src)
    try:
        take(m, dest)
        try:
            _copy(dest, src)
        finally:
            dest.give()
    finally:
        src.give()


def _copy(dest: Data, src: Data) -> None:
    to, source = dest.spans(COPIED), src.spans(COPIED)
    if to.sizes == source.sizes:
        copy.call(to.address, source.address, to.count)
        dest.copy_numbers(src)
    else:
        dest._copy_from(src)
        dest.form = src.form

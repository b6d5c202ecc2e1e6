"""The pattern of a sparse Hessian: blocks of trees, the order in which they are eliminated, and what fills in.

Dofs of one tree form a block; rows of the Jacobian couple blocks. Eliminating a tree couples all trees that are
coupled with it: so those with the fewest couplings go first (minimum degree), which keeps the fill of piles small.
Sets of trees are bits of block_bits. A tree's panel is its diagonal block, by rows, and then, by rows of block_width
numbers, the blocks with the trees that are coupled with it and eliminated later, side by side.
Source: George and Liu, The evolution of the minimum degree ordering algorithm, 1989.
"""

import numpy as np

from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtConstraint

CONTACT = int(mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)  # this and the kinds above are rows of contacts


@kernel
def make_pattern(m, d):
    """Writes block_order, _place, _adr, _width, _nbadr, _nbnum, _nb; returns the entries of the matrix.

    Where the matrix has no room (maxH), block_adr, block_nbadr and block_nb are left unfinished.
    """
    couple_trees(m, d)
    order_trees(m, d)
    n, words, total, listed = m.ntree, (m.ntree + 63) // 64, 0, 0
    for t in range(n):
        size, width = m.tree_dofnum[t], 0
        d.block_adr[t] = total
        d.block_nbadr[t] = listed
        count = 0
        u = next_bit(d.block_bits, t * words, 0, n)
        while u < n:
            width += m.tree_dofnum[u]
            if listed + count < d.maxH:
                insert_by_place(d, listed, count, u)
            count += 1
            u = next_bit(d.block_bits, t * words, u + 1, n)
        d.block_nbnum[t] = count
        listed += count
        d.block_width[t] = width
        total += size * (size + width)
    return total


@kernel
def place_of(m, d, t, u):
    """Start of tree u's columns in the rows of tree t's panel outside its diagonal block."""
    at, k = 0, d.block_nbadr[t]
    while d.block_nb[k] != u:
        at += m.tree_dofnum[d.block_nb[k]]
        k += 1
    return at


@kernel
def has_bit(bits, start, u):
    """True if u is in the set that starts at word `start`."""
    return (bits[start + u // 64] >> (u % 64)) & 1 != 0


@kernel
def next_bit(bits, start, u, n):
    """The first member of a set that is u or more; n: there is none."""
    while u < n:
        rest = bits[start + u // 64] >> (u % 64)
        if rest != 0:
            return u + count_bits((rest & -rest) - 1)
        u = (u // 64 + 1) * 64
    return n


@kernel
def flip_bit(bits, start, u):
    """Put u into a set, or take it out."""
    bits[start + u // 64] ^= np.int64(1) << (u % 64)


@kernel
def insert_by_place(d, start, count, u):
    """Insert tree u into the `count` neighbours listed from `start` on, which ascend in the order of elimination."""
    k = start + count
    while k > start and d.block_place[d.block_nb[k - 1]] > d.block_place[u]:
        d.block_nb[k] = d.block_nb[k - 1]
        k -= 1
    d.block_nb[k] = u


@kernel
def couple_trees(m, d):
    """block_bits <- for each tree the trees that a row couples with it."""
    bits, tree, words = d.block_bits, m.dof_treeid, (m.ntree + 63) // 64
    for k in range(m.ntree * words):
        bits[k] = 0
    for r in range(d.nefc):
        if r > 0 and d.efc_type[r] >= CONTACT and d.efc_type[r - 1] >= CONTACT and d.efc_id[r] == d.efc_id[r - 1]:
            continue
        if tree[d.efc_first[r]] == tree[d.efc_end[r] - 1]:
            continue
        at = d.efc_J_rowadr[r]
        end = at + d.efc_J_rownnz[r]
        for a in range(at, end):
            t = tree[d.efc_J_colind[a]]
            if a > at and t == tree[d.efc_J_colind[a - 1]]:  # dofs of one tree lie side by side
                continue
            before = -1
            for b in range(at, a):
                u = tree[d.efc_J_colind[b]]
                if u != before and not has_bit(bits, t * words, u):
                    flip_bit(bits, t * words, u)
                    flip_bit(bits, u * words, t)
                before = u


@kernel
def count_bits(x):
    """Number of set bits of a word."""
    x = np.uint64(x)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def degree(d, t, words):
    """Number of trees that are coupled with tree t."""
    s = 0
    for w in range(t * words, (t + 1) * words):
        s += count_bits(d.block_bits[w])
    return s


@kernel
def order_trees(m, d):
    """block_order, block_place <- minimum degree first; block_bits <- the trees coupled with each and eliminated later."""
    n, words, bits = m.ntree, (m.ntree + 63) // 64, d.block_bits
    for t in range(n):
        d.block_degree[t] = degree(d, t, words)
        d.block_place[t] = -1
    least = 0
    for step in range(n):
        best = -1
        for t in range(n):
            if d.block_place[t] < 0 and (best < 0 or d.block_degree[t] < d.block_degree[best]):
                best = t
                if d.block_degree[t] <= least:
                    break
        least = max(0, d.block_degree[best] - 1)  # neighbours lose one coupling at most, and others were no less coupled
        d.block_order[step] = best
        d.block_place[best] = step
        if d.block_degree[best] == 0:
            continue
        u = next_bit(bits, best * words, 0, n)
        while u < n:
            for w in range(words):
                bits[u * words + w] |= bits[best * words + w]
            flip_bit(bits, u * words, u)
            flip_bit(bits, u * words, best)
            d.block_degree[u] = degree(d, u, words)
            u = next_bit(bits, best * words, u + 1, n)

"""Layout of recorded iterates in `d.record_numbers`; see docs/decisions/recording.md.

The memory is a list of slots of `d.record_width` numbers, one for each iteration. In a slot, every island has a part of
its own: a head, then the force and the state of each of its rows, then the acceleration of each of its dofs. So islands
that are solved at the same time write to different places.
"""

COUNT = 0  # in the first slot of an island: how many iterates there were
KIND = 1
ITERATION = 2
COST = 3
DUAL = 4
GRADIENT = 5
IMPROVEMENT = 6
ALPHA = 7
SLOPE = 8
EVALUATIONS = 9
RESIDUAL = 10
SCALE = 11
HEAD = 12

# What the stage that records is asked to do: to keep an iterate of a solver of that kind, or one of the others.
CG, NEWTON, PGS, NOSLIP, LCP = 0, 1, 2, 3, 4
BEGIN, END = 10, 11

LIMIT = 2**25  # numbers that a record may have if nothing else is asked for: 256 MiB

"""Options of ours, `m.tumble`, materials of flexes, and what the linear complementarity problem keeps in the data."""

from tumble.physics.state.constants import mjMAXTHREAD
from tumble.physics.state.fields.field import NOT_NEGATIVE, Field, between, one_of
from tumble.physics.state.own import ContactModel, Splitting

OWN_OPTION = (
    Field(
        "tumble_contact_model", "i8", (), "1", "what a constraint force is (ContactModel): 0 soft and convex, 1 LCP",
        valid=one_of(ContactModel, "0 SOFT, 1 LCP"),
    ),
    Field(
        "tumble_threads", "i8", (), "1", "threads that solve islands, the calling one among them: 1 to 128",
        valid=between(1, mjMAXTHREAD, f"islands can be solved by 1 to {mjMAXTHREAD} threads"),
    ),
    Field(
        "tumble_lcp_method", "i8", (), "1", "LCP: splitting (Splitting): 0 Jacobi, 1 Gauss-Seidel, 2 SOR, 3 conjugate",
        valid=one_of(Splitting, "0 JACOBI, 1 GAUSS_SEIDEL, 2 SOR, 3 CONJUGATE"),
    ),
    Field("tumble_lcp_block", "i8", (), "1", "LCP: 1: normal and tangents of a contact at once, a 3x3 block; 0: row by row"),
    Field(
        "tumble_lcp_omega", "f8", (), "1", "LCP: relaxation of SOR, between 0 and 2",
        valid=between(0, 2, "SOR converges for values between 0 and 2", inside=True),
    ),
    Field("tumble_lcp_sweeps", "i8", (), "1", "LCP: most sweeps over all rows in a step", valid=NOT_NEGATIVE),
    Field(
        "tumble_lcp_tolerance", "f8", (), "m/s or rad/s", "LCP: the sweeps stop when the natural map is smaller",
        valid=NOT_NEGATIVE,
    ),
    Field(
        "tumble_lcp_stabilization", "f8", (), "1", "LCP: part of a violation that a step takes back, 0 to 1",
        valid=between(0, 1, "it is a part, 0 to 1"),
    ),
    Field(
        "tumble_lcp_slop", "f8", (), "m or rad", "LCP: violation of one-sided constraints that is left alone",
        valid=NOT_NEGATIVE,
    ),
    Field(
        "tumble_lcp_speed", "f8", (), "m/s or rad/s", "LCP: most speed with which violations are taken back",
        valid=NOT_NEGATIVE,
    ),
    Field(
        "tumble_lcp_restitution", "f8", (), "1", "LCP: speed of separation over that of approach in a contact, 0 to 1",
        valid=between(0, 1, "more than 1 would make energy, less than 0 would glue"),
    ),
    Field(
        "tumble_lcp_rest", "f8", (), "m/s", "LCP: a contact that approaches more slowly does not bounce",
        valid=NOT_NEGATIVE,
    ),
)

# What the stiffness of elements and bends is computed from: while the model runs it follows from these.
OWN_FLEX = (
    Field("flex_elastic", "i4", ("nflex",), "1", "what its material resists, in bits: 1 bending, 2 stretching; 0: nothing"),
    Field("flex_young", "f8", ("nflex",), "Pa", "Young's modulus"),
    Field("flex_poisson", "f8", ("nflex",), "1", "Poisson's ratio: 0 or more, less than 0.5"),
    Field("flex_thickness", "f8", ("nflex",), "m", "thickness of the material (dim 2), apart from that of contacts"),
)

LCP = (
    Field("nlcp", "i8", (), "1", "rows that the LCP has made ready; 0: the rows are those of the soft model"),
    Field("lcp_residual", "f8", (), "m/s or rad/s", "LCP: natural map of the impulses; above lcp_tolerance: not converged"),
    Field("lcp_impulse", "f8", ("maxefc",), "N s or N m s", "LCP: lambda, the impulse of each row in the step", used="nlcp"),
    Field("lcp_velocity", "f8", ("maxefc",), "m/s or rad/s", "LCP: w = A lambda + b, stabilization included", used="nlcp"),
    Field("lcp_b", "f8", ("maxefc",), "m/s or rad/s", "LCP: w without impulses", used="nlcp"),
    Field("lcp_low", "f8", ("maxefc",), "N s or N m s", "LCP: least impulse of each row", used="nlcp"),
    Field("lcp_high", "f8", ("maxefc",), "N s, N m s; 1, m", "LCP: most impulse; contact friction: coefficient", used="nlcp"),
    Field("lcp_base", "i4", ("maxefc",), "1", "LCP: row whose impulse times lcp_high bounds this one; -1: none", used="nlcp"),
    Field("lcp_size", "i4", ("maxefc",), "1", "LCP: rows of the block that begins at each row", used="nlcp"),
    Field("lcp_disc", "i4", ("maxefc",), "1", "LCP: rows from here on that one disc limits; 0: own bounds", used="nlcp"),
    Field("lcp_diag", "f8", ("maxefc",), "1/kg or 1/(kg m^2)", "LCP: diagonal of A", used="nlcp"),
    Field("lcp_cross", "f8", ("maxefc", 3), "1/kg, ...", "LCP: entries 01, 02, 12 of the block that begins here", used="nlcp"),
    Field("lcp_next", "f8", ("maxefc",), "N s or N m s", "LCP: the impulses that a Jacobi sweep, or a disc, finds", used="nlcp"),
    Field("lcp_best", "f8", ("maxefc",), "N s or N m s", "LCP: the impulses of the smallest natural map so far", used="nlcp"),
    Field("lcp_start", "f8", ("maxefc",), "N s or N m s", "LCP: the impulses before a sweep", used="nlcp"),
    Field("lcp_search", "f8", ("maxefc",), "N s or N m s", "LCP: conjugate direction of the impulses", used="nlcp"),
    Field("lcp_rownnz", "i4", ("maxefc",), "1", "LCP: nonzeros of each row of lcp_half", used="nlcp"),
    Field("lcp_rowadr", "i4", ("maxefc",), "1", "LCP: start of each row of lcp_half", used="nlcp"),
    Field("lcp_half", "f8", ("maxL",), "kg^-1/2, ...", "LCP: J M^-1/2, rows of nonzeros: A is this times its transpose"),
    Field("lcp_colind", "i4", ("maxL",), "1", "LCP: dofs of the nonzeros of lcp_half"),
    Field("lcp_momentum", "f8", ("nv",), "kg^1/2 m/s, ...", "LCP: lcp_half' lambda, which is M^1/2 times M^-1 J' lambda"),
    Field("lcp_start_momentum", "f8", ("nv",), "kg^1/2 m/s, ...", "LCP: lcp_momentum before a sweep"),
    Field("lcp_search_momentum", "f8", ("nv",), "kg^1/2 m/s, ...", "LCP: lcp_half' lcp_search"),
    Field("lcp_free", "f8", ("nv",), "m/s or rad/s", "LCP: velocity after the step without constraints"),
)

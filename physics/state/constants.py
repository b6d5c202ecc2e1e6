"""Numbers that both users and kernels refer to, under MuJoCo's names."""

mjMAXVAL = 1e10  # a position, velocity or acceleration beyond it (or not a number) means divergence
mjMINVAL = 1e-15  # smallest divisor: below it a length or mass counts as zero
mjMINMU = 1e-5  # smallest friction coefficient
mjMINIMP = 0.0001  # smallest constraint impedance
mjMAXIMP = 0.9999  # largest constraint impedance
mjMAXCONPAIR = 50  # most contacts of one pair of geoms
mjMAXPLUGINPRM = 16  # most numbers of the attributes of a plugin; the reference has no such bound
mjMINAWAKE = 10  # steps a tree stays awake at least
mjNEQDATA = 11  # numbers in eq_data
mjNDYN = 10  # numbers in actuator_dynprm
mjNGAIN = 10  # numbers in actuator_gainprm
mjNBIAS = 10  # numbers in actuator_biasprm
mjNREF = 2  # numbers in solref
mjNIMP = 5  # numbers in solimp
mjNSENS = 3  # numbers in sensor_intprm
mjNSOLVER = 200  # iterations kept in d.solver for each island
mjNISLAND = 20  # islands kept in d.solver
mjMAXTHREAD = 128  # most threads of m.tumble.threads
CONTACT_PASSIVE = 4  # contact_exclude of a contact that is a spring
SPARSE_FROM = 60  # dofs from which on jacobian=auto means sparse
mjPI = 3.141592653589793
mjVERSION_HEADER = 3005000  # the reference's version, which this engine follows
mjNFLUID = 12  # numbers in geom_fluid
mjNGROUP = 6  # groups of geoms, sites, joints, ... that can be hidden
mjMAXTREEDEPTH = 50  # levels of a tree of bounding boxes
mjMAXFLEXNODES = 27  # most nodes of an element of a flex
mjMAXLIGHT = 100  # most lights in a scene
mjMAXOVERLAY = 500  # most letters of text over a picture
mjMAXLINE = 100  # most lines of a plot
mjMAXLINEPNT = 1001  # most points of a line of a plot
mjMAXPLANEGRID = 200  # most cells along a side of a drawn plane

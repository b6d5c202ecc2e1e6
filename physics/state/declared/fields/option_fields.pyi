"""Declarations of physics/state/fields/option_fields.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real

class OptionFields:
    """`OPTION` of the table."""

    opt_timestep: Real
    """time that one step takes [s]"""
    opt_impratio: Real
    """impedance of friction relative to the normal direction in elliptic cones [1]"""
    opt_tolerance: Real
    """the solver stops when it improves by less [1]"""
    opt_ls_tolerance: Real
    """the line search stops when the slope has fallen to this part [1]"""
    opt_noslip_tolerance: Real
    """the no-slip pass stops when it improves by less [1]"""
    opt_ccd_tolerance: Real
    """precision of convex collision [m]"""
    opt_sleep_tolerance: Real
    """trees slower than this may fall asleep [m/s]"""
    opt_density: Real
    """density of the medium [kg/m^3]"""
    opt_viscosity: Real
    """viscosity of the medium [Pa s]"""
    opt_o_margin: Real
    """margin of all contacts where the override flag is set [m]"""
    opt_integrator: Integer
    """how a step is integrated (mjtIntegrator) [1]"""
    opt_cone: Integer
    """shape of friction cones (mjtCone) [1]"""
    opt_jacobian: Integer
    """dense or sparse constraint Jacobian (mjtJacobian) [1]"""
    opt_solver: Integer
    """constraint solver (mjtSolver) [1]"""
    opt_iterations: Integer
    """most solver iterations [1]"""
    opt_ls_iterations: Integer
    """most line search iterations [1]"""
    opt_noslip_iterations: Integer
    """most iterations of the no-slip pass [1]"""
    opt_ccd_iterations: Integer
    """most iterations of convex collision [1]"""
    opt_disableflags: Integer
    """what is switched off: bits (mjtDisableBit) [1]"""
    opt_enableflags: Integer
    """what is switched on: bits (mjtEnableBit) [1]"""
    opt_disableactuator: Integer
    """groups of actuators that are off: bits [1]"""
    opt_sdf_initpoints: Integer
    """starting points in collision of signed distance fields [1]"""
    opt_sdf_iterations: Integer
    """most iterations in collision of signed distance fields [1]"""
    opt_gravity: Array[np.float64]
    """gravity [m/s^2], shape (3,)"""
    opt_wind: Array[np.float64]
    """velocity of the medium [m/s], shape (3,)"""
    opt_magnetic: Array[np.float64]
    """magnetic field [T], shape (3,)"""
    opt_o_solref: Array[np.float64]
    """response of all contacts where the override flag is set [s, 1], shape (2,)"""
    opt_o_solimp: Array[np.float64]
    """impedance of all contacts where the override flag is set [1, 1, m, 1, 1], shape (5,)"""
    opt_o_friction: Array[np.float64]
    """friction of all contacts where the override flag is set [1, 1, m, m, m], shape (5,)"""

class StatisticFields:
    """`STATISTIC` of the table."""

    stat_meaninertia: Real
    """mean of the inertia matrix's diagonal at qpos0 [kg or kg m^2]"""
    stat_meanmass: Real
    """mean mass of a body [kg]"""
    stat_meansize: Real
    """mean size of a body [m]"""
    stat_extent: Real
    """size of the model [m]"""
    stat_center: Array[np.float64]
    """centre of the model [m], shape (3,)"""

class VisualFields:
    """`VISUAL` of the table."""

    vis_global_cameraid: Integer
    """camera to start with; -1: free [1]"""
    vis_global_orthographic: Integer
    """whether the free camera is orthographic [1]"""
    vis_global_fovy: Real
    """field of view of the free camera [degree or m]"""
    vis_global_ipd: Real
    """distance of the free camera's eyes [m]"""
    vis_global_azimuth: Real
    """azimuth the free camera starts with [degree]"""
    vis_global_elevation: Real
    """elevation the free camera starts with [degree]"""
    vis_global_linewidth: Real
    """width of lines, in pixels [1]"""
    vis_global_glow: Real
    """how much a selected body glows [1]"""
    vis_global_realtime: Real
    """simulated time over real time to start with [1]"""
    vis_global_offwidth: Integer
    """width of the offscreen image, in pixels [1]"""
    vis_global_offheight: Integer
    """height of the offscreen image, in pixels [1]"""
    vis_global_ellipsoidinertia: Integer
    """whether inertia is drawn as ellipsoids rather than boxes [1]"""
    vis_global_bvactive: Integer
    """whether only bounding volumes that were tested are drawn [1]"""
    vis_quality_shadowsize: Integer
    """side of the shadow map, in texels [1]"""
    vis_quality_offsamples: Integer
    """samples of a pixel offscreen [1]"""
    vis_quality_numslices: Integer
    """slices around built-in shapes [1]"""
    vis_quality_numstacks: Integer
    """stacks along built-in shapes [1]"""
    vis_quality_numquads: Integer
    """squares along a plane [1]"""
    vis_headlight_ambient: Array[np.float32]
    """ambient colour of the light at the camera [1], shape (3,)"""
    vis_headlight_diffuse: Array[np.float32]
    """diffuse colour of the light at the camera [1], shape (3,)"""
    vis_headlight_specular: Array[np.float32]
    """specular colour of the light at the camera [1], shape (3,)"""
    vis_headlight_active: Integer
    """whether the light at the camera is on [1]"""
    vis_map_stiffness: Real
    """spring of the mouse, for pulling [N/m]"""
    vis_map_stiffnessrot: Real
    """spring of the mouse, for turning [N m/rad]"""
    vis_map_force: Real
    """length a unit force is drawn with [m/N]"""
    vis_map_torque: Real
    """length a unit torque is drawn with [m/(N m)]"""
    vis_map_alpha: Real
    """opacity of what is made transparent [1]"""
    vis_map_fogstart: Real
    """distance where fog begins, in extents [1]"""
    vis_map_fogend: Real
    """distance where fog is full, in extents [1]"""
    vis_map_znear: Real
    """near clipping distance, in extents [1]"""
    vis_map_zfar: Real
    """far clipping distance, in extents [1]"""
    vis_map_haze: Real
    """height of the haze at the horizon [1]"""
    vis_map_shadowclip: Real
    """half size a directional light's shadow covers, in extents [1]"""
    vis_map_shadowscale: Real
    """part of a spot's opening its shadow covers [1]"""
    vis_map_actuatortendon: Real
    """width of a tendon that shows its actuator, in its own width [1]"""
    vis_scale_forcewidth: Real
    """width of force arrows, in mean sizes [1]"""
    vis_scale_contactwidth: Real
    """radius of a contact's disc, in mean sizes [1]"""
    vis_scale_contactheight: Real
    """height of a contact's disc, in mean sizes [1]"""
    vis_scale_connect: Real
    """width of the lines that connect bodies, in mean sizes [1]"""
    vis_scale_com: Real
    """radius of a centre of mass, in mean sizes [1]"""
    vis_scale_camera: Real
    """size of a camera, in mean sizes [1]"""
    vis_scale_light: Real
    """size of a light, in mean sizes [1]"""
    vis_scale_selectpoint: Real
    """radius of the selected point, in mean sizes [1]"""
    vis_scale_jointlength: Real
    """length of a joint, in mean sizes [1]"""
    vis_scale_jointwidth: Real
    """width of a joint, in mean sizes [1]"""
    vis_scale_actuatorlength: Real
    """length of an actuator, in mean sizes [1]"""
    vis_scale_actuatorwidth: Real
    """width of an actuator, in mean sizes [1]"""
    vis_scale_framelength: Real
    """length of a frame's axes, in mean sizes [1]"""
    vis_scale_framewidth: Real
    """width of a frame's axes, in mean sizes [1]"""
    vis_scale_constraint: Real
    """width of a violated constraint, in mean sizes [1]"""
    vis_scale_slidercrank: Real
    """width of a slider-crank, in mean sizes [1]"""
    vis_scale_frustum: Real
    """depth a camera's field of view is drawn to [m]"""
    vis_rgba_fog: Array[np.float32]
    """colour of fog [1], shape (4,)"""
    vis_rgba_haze: Array[np.float32]
    """colour of haze [1], shape (4,)"""
    vis_rgba_force: Array[np.float32]
    """colour of applied forces [1], shape (4,)"""
    vis_rgba_inertia: Array[np.float32]
    """colour of inertia [1], shape (4,)"""
    vis_rgba_joint: Array[np.float32]
    """colour of joints [1], shape (4,)"""
    vis_rgba_actuator: Array[np.float32]
    """colour of an idle actuator [1], shape (4,)"""
    vis_rgba_actuatornegative: Array[np.float32]
    """colour of an actuator at its lower limit [1], shape (4,)"""
    vis_rgba_actuatorpositive: Array[np.float32]
    """colour of an actuator at its upper limit [1], shape (4,)"""
    vis_rgba_com: Array[np.float32]
    """colour of centres of mass [1], shape (4,)"""
    vis_rgba_camera: Array[np.float32]
    """colour of cameras [1], shape (4,)"""
    vis_rgba_light: Array[np.float32]
    """colour of lights [1], shape (4,)"""
    vis_rgba_selectpoint: Array[np.float32]
    """colour of the selected point [1], shape (4,)"""
    vis_rgba_connect: Array[np.float32]
    """colour of the lines that connect bodies [1], shape (4,)"""
    vis_rgba_contactpoint: Array[np.float32]
    """colour of contact points [1], shape (4,)"""
    vis_rgba_contactforce: Array[np.float32]
    """colour of contact forces [1], shape (4,)"""
    vis_rgba_contactfriction: Array[np.float32]
    """colour of friction forces [1], shape (4,)"""
    vis_rgba_contacttorque: Array[np.float32]
    """colour of contact torques [1], shape (4,)"""
    vis_rgba_contactgap: Array[np.float32]
    """colour of contacts that do not push [1], shape (4,)"""
    vis_rgba_rangefinder: Array[np.float32]
    """colour of rangefinder rays [1], shape (4,)"""
    vis_rgba_constraint: Array[np.float32]
    """colour of violated constraints [1], shape (4,)"""
    vis_rgba_slidercrank: Array[np.float32]
    """colour of slider-cranks [1], shape (4,)"""
    vis_rgba_crankbroken: Array[np.float32]
    """colour of a slider-crank whose rod is too short [1], shape (4,)"""
    vis_rgba_frustum: Array[np.float32]
    """colour of a camera's field of view [1], shape (4,)"""
    vis_rgba_bv: Array[np.float32]
    """colour of bounding volumes [1], shape (4,)"""
    vis_rgba_bvactive: Array[np.float32]
    """colour of bounding volumes that were tested [1], shape (4,)"""

"""Signed distance fields: functions, octrees of meshes, and how geoms that have one meet others. See docs/decisions/sdf.md."""

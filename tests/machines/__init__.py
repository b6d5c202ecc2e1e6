"""The program on machines that are not here: 64-bit ARM under qemu, Windows under wine, each beside this machine's numbers."""

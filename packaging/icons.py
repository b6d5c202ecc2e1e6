"""Draws the program's icon in the formats that systems want: PNG for Linux, .ico for Windows, .icns for a Mac.

Run as: python packaging/icons.py build/icons
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from PyQt6.QtCore import QBuffer, QIODevice, QRectF, Qt
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtSvg import QSvgRenderer

SOURCE = Path(__file__).resolve().parent.parent / "resources" / "icons" / "tumble.svg"
SIZES = (16, 32, 48, 64, 128, 256, 512)


def drawn(size: int) -> bytes:
    """The icon as PNG, size x size pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SOURCE)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def main() -> int:
    """Write all of them into the folder named on the command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {size: drawn(size) for size in SIZES}
    for size, data in pictures.items():
        (folder / f"{size}.png").write_bytes(data)
    largest = Image.open(BytesIO(pictures[SIZES[-1]]))
    largest.save(folder / "tumble.ico", sizes=[(size, size) for size in SIZES if size <= 256])
    largest.save(folder / "tumble.icns")
    return 0


if __name__ == "__main__":
    sys.exit(main())

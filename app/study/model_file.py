"""The model of a study: where its file is."""

from __future__ import annotations

from pathlib import Path

from tumble.app.library import unpack
from tumble.app.library.lookup import meaning
from tumble.app.study.study_file import Study


def model_file(study: Study, study_path: Path) -> Path:
    """The file of a study's model: next to the study, at an absolute path, or found by name. Raises LoadError."""
    beside = study_path.parent / study.model
    return unpack.file_of(beside if beside.exists() else meaning(Path(study.model)))

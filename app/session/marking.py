"""Marks in the view the element of a row, a finding or a stop."""

from __future__ import annotations

from tumble.app.describe.subject import Subject
from tumble.app.session.session import Session


def mark(session: Session, subject: Subject) -> None:
    """Choose its contact, or select its body; without either the selection stays."""
    if session.model is None or session.snapshot is None:
        return
    if subject.pair is not None:
        session.contact_choice.choose_pair(subject.pair, session.model, session.snapshot, subject.point)
        return
    session.contact_choice.clear()
    if subject.body > 0:
        session.select(subject.body)

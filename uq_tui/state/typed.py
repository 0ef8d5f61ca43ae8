"""Numbers as they are typed into a field."""


def whole_number(text: str, most: int) -> int | None:
    """A number from 1 to `most`; `None` for whatever else was typed, however long."""
    digits = text.strip()
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= len(str(most)) else 0
    return number if 1 <= number <= most else None

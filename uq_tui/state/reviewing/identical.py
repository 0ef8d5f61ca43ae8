"""Answers that say the same, sign for sign, whatever white space is between: judged once, and linked."""

import hashlib
import unicodedata


def fingerprint(text: str) -> str:
    """Equal for texts that are equal after NFC and with each run of white space made one blank, none at the ends."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()

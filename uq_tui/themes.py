"""The colours of the app, by the names that the settings have for them.

Colour is never all that tells something: an outcome is a glyph and a word as well. Two themes are for eyes that the
others serve badly. In high contrast a text has a contrast of 7 to its ground or more (WCAG 2.2, 1.4.6, level AAA). In
the colour-blind one outcomes have colours after Okabe and Ito (Color Universal Design, 2008), which stay apart without
red or green cones.
"""

from collections.abc import Mapping
from types import MappingProxyType

from textual.theme import BUILTIN_THEMES, Theme

_HIGH_CONTRAST = Theme(
    name="high-contrast",
    primary="#9AD7FF",
    secondary="#9AD7FF",
    accent="#FFE066",
    warning="#FFE066",
    error="#FFB3A8",
    success="#8CFF9E",
    foreground="#FFFFFF",
    background="#000000",
    surface="#000000",
    panel="#101010",
    dark=True,
    text_alpha=1.0,
    variables={
        "text": "#FFFFFF",
        "text-muted": "#D6D6D6",
        "text-disabled": "#C0C0C0",
        "text-primary": "#9AD7FF",
        "text-secondary": "#9AD7FF",
        "text-accent": "#FFE066",
        "text-warning": "#FFE066",
        "text-error": "#FFB3A8",
        "text-success": "#8CFF9E",
        "accent-muted": "#2B2600",
        "block-cursor-background": "#00264A",
        "block-cursor-foreground": "#FFFFFF",
        "block-cursor-text-style": "bold underline",
        "block-cursor-blurred-background": "#262626",
        "block-cursor-blurred-foreground": "#FFFFFF",
        "block-cursor-blurred-text-style": "underline",
        "input-cursor-background": "#FFFFFF",
        "input-cursor-foreground": "#000000",
        "input-selection-background": "#00264A",
        "screen-selection-background": "#00264A",
        "footer-key-foreground": "#FFE066",
        "footer-description-foreground": "#FFFFFF",
        "border": "#FFFFFF",
        "border-blurred": "#B0B0B0",
        "scrollbar": "#B0B0B0",
        "scrollbar-hover": "#FFFFFF",
        "scrollbar-active": "#FFFFFF",
        "scrollbar-background": "#1A1A1A",
        "button-foreground": "#FFFFFF",
    },
)

_COLOUR_BLIND = Theme(
    name="colour-blind",
    primary="#0072B2",
    secondary="#56B4E9",
    accent="#CC79A7",
    warning="#F0E442",
    error="#D55E00",
    success="#56B4E9",
    foreground="#E6E6E6",
    dark=True,
    variables={
        "text-success": "#56B4E9",
        "text-error": "#F2762E",
        "text-warning": "#F0E442",
        "text-accent": "#DFA6C6",
        "text-primary": "#8CCBF0",
        "text-secondary": "#8CCBF0",
    },
)

BY_NAME: Mapping[str, Theme] = MappingProxyType(
    {
        "dark": BUILTIN_THEMES["textual-dark"],
        "light": BUILTIN_THEMES["textual-light"],
        "high-contrast": _HIGH_CONTRAST,
        "colour-blind": _COLOUR_BLIND,
    }
)
"""All that the setting `theme` can be."""

"""How everything in a reading view looks. Nothing is told by colour alone."""

from uq_tui.document.drawing.lines import STYLES
from uq_tui.state.reading.lines.highlights import Layer

MARGIN_STYLES = ("number", "glyph", "cursor")
CLASSES = {f"document--{name}" for name in (*STYLES, *Layer, *(f"margin-{name}" for name in MARGIN_STYLES))}

CSS = """
Document {
    overflow-x: hidden;
    overflow-y: auto;
    scrollbar-gutter: stable;
    scrollbar-size-vertical: 1;

    & > .document--heading { color: $text-primary; text-style: bold; }
    & > .document--strong { text-style: bold; }
    & > .document--emphasis { text-style: italic; }
    & > .document--strike { text-style: strike; }
    & > .document--code { background: $foreground 8%; }
    & > .document--math { color: $text-primary; }
    & > .document--quote { color: $secondary; }
    & > .document--link { text-style: underline; }
    & > .document--dim { color: $foreground 65%; }
    & > .document--table { color: $foreground 40%; }
    & > .document--label { color: $foreground 65%; text-style: italic; }

    & > .document--keyword { color: $text-accent; text-style: bold; }
    & > .document--string { color: $text-success; }
    & > .document--comment { color: $foreground 65%; text-style: italic; }
    & > .document--number { color: $text-warning; }
    & > .document--name { color: $text-primary; }
    & > .document--punctuation { color: $foreground 80%; }
    &:light > .document--keyword { color: #7c4800; }
    &:light > .document--string { color: #146432; }
    &:light > .document--number { color: #7c4800; }
    &:nocolor > .document--heading { color: $foreground; }
    &:nocolor > .document--math { color: $foreground; }
    &:nocolor > .document--removed { background: $foreground 20%; }
    &:nocolor > .document--added { background: $foreground 20%; }
    &:nocolor > .document--remark { background: $foreground 20%; }
    &:nocolor > .document--claim { background: $foreground 20%; }
    &:nocolor > .document--quote-a { background: $foreground 20%; }
    &:nocolor > .document--quote-b { background: $foreground 20%; }
    &:nocolor > .document--quote-c { background: $foreground 20%; }
    &:nocolor > .document--quote-own { background: $foreground 20%; }
    &:nocolor > .document--found { background: $foreground 20%; }

    & > .document--removed { background: $error 30%; text-style: strike; }
    & > .document--added { background: $success 30%; text-style: bold underline; }
    & > .document--remark { background: $accent 30%; text-style: italic underline; }
    & > .document--claim { background: $warning 30%; text-style: bold underline; }
    & > .document--quote-a { background: $primary 30%; text-style: underline; }
    & > .document--quote-b { background: $warning 30%; text-style: bold underline; }
    & > .document--quote-c { background: $success 30%; text-style: bold italic underline; }
    & > .document--quote-own { background: $accent 30%; text-style: italic underline; }
    & > .document--found { background: $primary 45%; text-style: underline; }
    & > .document--found-here { text-style: bold reverse; }
    & > .document--pointed { text-style: reverse; }
    & > .document--selected { background: $screen-selection-background; }
    & > .document--caret { text-style: bold reverse; }

    & > .document--margin-number { color: $foreground 60%; }
    & > .document--margin-glyph { text-style: bold; }
    & > .document--margin-cursor { color: $text-accent; text-style: bold; }
}
"""

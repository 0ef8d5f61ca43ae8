"""The validator `numeric_identity`: identities that an answer claims, computed at points. See docs/plugins.md."""

"""What words of `.flow` files and manifests are painted as: types and modifiers that every client knows (LSP 3.17,
"SemanticTokenTypes")."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class TokenType(IntEnum):
    """What a token is; the values are its places in the legend."""

    NAMESPACE = 0  # what an import binds, and the paths of imports
    TYPE = 1
    STRUCT = 2
    ENUM = 3
    ENUM_MEMBER = 4
    TYPE_PARAMETER = 5
    PARAMETER = 6
    PROPERTY = 7
    FUNCTION = 8
    KEYWORD = 9
    COMMENT = 10
    STRING = 11
    DECORATOR = 12
    NUMBER = 13


class Modifier(IntFlag):
    """What else it is; the bits are in the order of the legend."""

    NONE = 0
    DECLARATION = 1
    DEFAULT_LIBRARY = 2
    DOCUMENTATION = 4


TOKEN_TYPES = (
    "namespace", "type", "struct", "enum", "enumMember", "typeParameter", "parameter", "property", "function",
    "keyword", "comment", "string", "decorator", "number",
)  # fmt: skip
MODIFIERS = ("declaration", "defaultLibrary", "documentation")

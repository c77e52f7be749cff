"""Where the types of a served signature are declared here, and what each declaration is to become."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from flow_lsp.analysis.program import SnapshotProgram
from flow_lsp.analysis.redeclaring.generics import general_body, key_arguments, same_body, uses, with_arguments
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.findings.model import shown
from flow_lsp.schema.keys import key_without_versions
from flow_lsp.schema.projection import ProjectionProblem, Projector
from flow_lsp.signature.forms import (
    Body,
    EnumForm,
    Form,
    FormKind,
    RecordForm,
    SignatureForm,
    UnknownForm,
    key_base,
    read_signature,
)
from flow_lsp.signature.identity import without_version
from flow_lsp.signature.signature import SignatureProblem, bare_signature
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.files import Look
from flow_lsp.source.homes import SUFFIX
from flow_lsp.source.standard import NAME as STD
from flow_lsp.source.tokens import KEYWORDS, read_name
from flow_lsp.types.terms import TOOL_OWNER, Named, Param, Template
from flow_lsp.values.strict_json import Json

STANDARD_RESULT = f"{STD}/result.Result"
_PARAMETERS = "TUVWXYZ"
_ORDINAL = re.compile(r"#[0-9]+\Z")


class Impossible(Exception):  # noqa: N818 - how working out a change ends early; it never leaves this package
    """What is served cannot be declared here. `sentence` says why, with a full stop."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Target:
    """What the type `name` of the file at `path` is to be. `declared` is what it is, None where it is not there yet;
    `parameters` are its type parameters' names, `doc` what is served of it."""

    path: str
    name: str
    body: Body
    parameters: tuple[str, ...]
    declared: Body | None
    doc: str | None = None

    @property
    def changes(self) -> bool:
        """Whether anything is to be done."""
        return self.declared is None or not same_body(self.declared, self.body)


@dataclass(slots=True)
class Homes:
    """The files of a workspace by what they are in keys, as seen from the Tool of `checked`."""

    snapshot: Snapshot
    program: SnapshotProgram
    checked: CheckedFile
    look: Look
    created: dict[str, str] = field(default_factory=dict)  # files that are to be, by their part of a key
    _known: dict[str, str] = field(default_factory=dict)

    def place(self, base: str) -> tuple[str, str]:
        """The path and name of the type whose key is `base` but for arguments. Raises Impossible."""
        file, _, name = base.rpartition(".")
        if _ORDINAL.search(name):
            raise Impossible(f"`{shown(base)}` is the second type of its name in its file, which nothing can name.")
        if not file or read_name(name) != name or name in KEYWORDS:
            raise Impossible(f"`{shown(name)}` is no name that a type can have.")
        if file not in self._known:
            self._known[file] = self._path(file)
        return self._known[file], name

    def is_ours(self, path: str) -> bool:
        """Whether the file at `path` is of the Tool's own workspace or repository, so that it may be changed."""
        folder, own = self.snapshot.folder_of(path), self.snapshot.folder_of(self.checked.path)
        return folder is None or folder.repository is None or folder == own

    def _path(self, file: str) -> str:
        own = without_version(self.program.home(self.checked.path).prefix + ".")[:-1]
        if file == own:
            return self.checked.path
        reached = [path for path in self.checked.depends_on if path in self.snapshot.sources]
        for path in (*reached, *sorted(self.snapshot.sources)):
            if without_version(self.program.home(path).prefix + ".")[:-1] == file:
                return path
        repositories = [folder.repository for folder in self.snapshot.folders if folder.repository is not None]
        repository = next((name for name in repositories if file.startswith(f"{name}/")), None)
        here = self.snapshot.folder_of(self.checked.path)
        ours = here.repository if here is not None else None
        if repository != ours or file.startswith(f"{STD}/"):
            raise Impossible(f"The file `{shown(file)}` of another repository is not here to be imported.")
        suffix = unquote(own) + SUFFIX
        part = unquote(file)
        if ours is not None:
            assert here is not None
            path = f"{here.path}/{part.removeprefix(f'{ours}/')}{SUFFIX}"
        elif self.checked.path.endswith(f"/{suffix}"):
            path = f"{self.checked.path.removesuffix(suffix)}{part}{SUFFIX}"
        else:
            raise Impossible(f"The file `{shown(file)}` has no place here.")
        if self.snapshot.environment.exists(path) or path in self.snapshot.source_problems:
            raise Impossible(f"The file `{shown(file)}` is there and cannot be read.")
        self.created[file] = path
        return path


def targets_of(homes: Homes, served: SignatureForm) -> list[Target]:
    """What every type that `served` reaches is to be here. Raises Impossible."""
    bodies: dict[str, list[tuple[tuple[Form, ...], str]]] = {}
    ahead = [form for _, form in served.params] + [served.ok, served.err]
    seen: set[str] = set()
    while ahead:
        for key in _keys(ahead.pop()):
            if key in seen:
                continue
            seen.add(key)
            arguments = key_arguments(key)
            if arguments is None:
                raise Impossible(f"The key `{shown(key)}` of a generic type cannot be read.")
            ahead += arguments
            body = served.bodies.get(key)
            if key_base(key) == STANDARD_RESULT:
                continue
            if body is None:
                raise Impossible(f"The type `{shown(key)}` is named there and not described.")
            bodies.setdefault(key_base(key), []).append((arguments, key))
            ahead += uses(body)
    return [_target(homes, served, base, instances) for base, instances in bodies.items()]


def _keys(form: Form) -> Iterable[str]:
    ahead = [form]
    while ahead:
        current = ahead.pop()
        if current.kind is FormKind.TYPE:
            yield current.name
        ahead += current.items


def _target(
    homes: Homes,
    served: SignatureForm,
    base: str,
    instances: list[tuple[tuple[Form, ...], str]],
) -> Target:
    path, name = homes.place(base)
    known = _declared(homes, path, name)
    given = [(arguments, served.bodies[key]) for arguments, key in instances]
    count = len(given[0][0])
    if any(len(arguments) != count for arguments, _ in given) or (known is not None and len(known[0]) != count):
        raise Impossible(f"The type `{shown(name)}` has another number of type parameters there.")
    unknown = next((body for _, body in given if isinstance(body, UnknownForm)), None)
    parameters, declared = known if known is not None else (tuple(_PARAMETERS[:count]), None)
    if len(parameters) != count:
        raise Impossible(f"The type `{shown(name)}` has too many type parameters there.")
    if declared is not None and all(
        same_body(with_arguments(declared, dict(zip(parameters, arguments, strict=True))), body)
        for arguments, body in given
    ):
        return Target(path, name, declared, parameters, declared)
    if unknown is not None:
        raise Impossible(f"The type `{shown(name)}` is in no Flow form there.")
    body = general_body(parameters, given, declared)
    if body is None:
        raise Impossible(f"What is served of `{shown(name)}` for different type arguments is of no one declaration.")
    return Target(path, name, body, parameters, declared, served.docs.get(instances[0][1]))


def _declared(homes: Homes, path: str, name: str) -> tuple[tuple[str, ...], Body] | None:
    """The type parameters and body of a declaration as it is, None where there is none. Raises Impossible."""
    source = homes.look.source(path)
    if source is None or name not in source.declared:
        return None
    local_id = f"{path}:{name}"
    templates: dict[str, Template] = {}
    ahead = [local_id]
    while ahead:
        current = ahead.pop()
        resolved = homes.look.resolved(current)
        if resolved is None or resolved.template is None:
            raise Impossible(f"The declaration of `{shown(name)}` has an error: put that right first.")
        templates[current] = resolved.template
        ahead += [reference for reference in resolved.references if reference not in templates]
    generic = templates[local_id].generic
    term = Named(local_id, tuple(Param(TOOL_OWNER, index) for index in range(len(generic))))
    found = Projector(templates).project(term, generic)
    if isinstance(found, ProjectionProblem):
        raise Impossible(f"The declaration of `{shown(name)}` has an error: put that right first.")
    form = signature_form({"params": [], "ok": found.schema, "err": {"not": {}}, "generic": list(generic)})
    return generic, form.bodies[form.ok.name]


def signature_form(signature: Json) -> SignatureForm:
    """A signature as listed, read back without versions, the descriptions of members and types beside them. Raises
    Impossible."""
    bare = bare_signature(signature)
    if isinstance(bare, SignatureProblem):
        raise Impossible(bare.sentence)
    assert isinstance(signature, dict)
    form, plain = read_signature(bare), read_signature(signature)
    described = {key_without_versions(key): body for key, body in plain.bodies.items()}
    bodies = {key: _described(body, described.get(key)) for key, body in form.bodies.items()}
    docs = {key_without_versions(key): doc for key, doc in plain.docs.items()}
    return SignatureForm(form.generic, form.params, form.ok, form.err, bodies, docs)


def _described(body: Body, plain: Body | None) -> Body:
    """`body` with the descriptions that its members have in `plain`."""
    if isinstance(body, RecordForm) and isinstance(plain, RecordForm):
        docs = {field.name: field.doc for field in plain.fields}
        return RecordForm(tuple([replace(field, doc=docs.get(field.name)) for field in body.fields]), body.required)
    if isinstance(body, EnumForm) and isinstance(plain, EnumForm):
        docs = {constructor.name: constructor.doc for constructor in plain.constructors}
        found = tuple([replace(constructor, doc=docs.get(constructor.name)) for constructor in body.constructors])
        return EnumForm(found)
    return body

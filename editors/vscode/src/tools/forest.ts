/**
 * The tree of Tools as nodes that stay the same objects from one answer to the next, so that a view knows which changed
 * and keeps what is expanded and selected. Nothing is computed here: labels, order and states are the server's.
 */
import type { Answer, Manifest, SourceFile, Tool } from "./answer";

export interface ManifestNode {
  readonly kind: "manifest";
  readonly id: string;
  data: Manifest;
  children: FileNode[];
}

export interface FileNode {
  readonly kind: "file";
  readonly id: string;
  readonly parent: ManifestNode;
  data: SourceFile;
  children: ToolNode[];
}

export interface ToolNode {
  readonly kind: "tool";
  readonly id: string;
  readonly parent: FileNode;
  data: Tool;
}

export type ForestNode = ManifestNode | FileNode | ToolNode;

/** What to show anew: all of it, or these nodes without what is below them having changed its order. */
export type Change = "all" | readonly ForestNode[];

const FEW = 100;

export class Forest {
  roots: ManifestNode[] = [];

  /** Takes another answer; what changed by it. */
  update(answer: Answer): Change {
    const before = this.roots;
    const changed: ForestNode[] = [];
    const known = byId(before);
    this.roots = answer.manifests.map((data) => this.manifest(known, data, changed));
    if (!sameNodes(before, this.roots)) return "all";
    return changed.length > FEW ? "all" : changed;
  }

  private manifest(known: ReadonlyMap<string, ManifestNode>, data: Manifest, changed: ForestNode[]): ManifestNode {
    const id = data.uri ?? `:${data.label}`;
    const old = known.get(id);
    const node: ManifestNode = old ?? { kind: "manifest", id, data, children: [] };
    const files = byId(node.children);
    const children = data.files.map((file) => this.file(node, files, file, changed));
    if (old !== undefined && (old.data.label !== data.label || !sameNodes(old.children, children))) changed.push(node);
    node.data = data;
    node.children = children;
    return node;
  }

  private file(parent: ManifestNode, known: ReadonlyMap<string, FileNode>, data: SourceFile, changed: ForestNode[]): FileNode {
    const id = `${parent.id}\n${data.uri}`;
    const old = known.get(id);
    const node: FileNode = old ?? { kind: "file", id, parent, data, children: [] };
    const tools = byId(node.children);
    const seen = new Map<string, number>();
    const children = data.tools.map((tool) => {
      // A name may stand twice in text that is still being written.
      const count = seen.get(tool.name) ?? 0;
      seen.set(tool.name, count + 1);
      const toolId = `${id}\n${tool.name}${count === 0 ? "" : `\n${String(count)}`}`;
      const there = tools.get(toolId);
      if (there === undefined) return { kind: "tool", id: toolId, parent: node, data: tool } as const;
      if (!looksSame(there.data, tool)) changed.push(there);
      there.data = tool;
      return there;
    });
    if (old !== undefined && (old.data.label !== data.label || !sameNodes(old.children, children))) changed.push(node);
    node.data = data;
    node.children = children;
    return node;
  }

  /** Every Tool, in the order of the view. */
  *tools(): Generator<ToolNode> {
    for (const manifest of this.roots) for (const file of manifest.children) yield* file.children;
  }
}

function byId<N extends { readonly id: string }>(nodes: readonly N[]): Map<string, N> {
  return new Map(nodes.map((node) => [node.id, node]));
}

function sameNodes(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((node, place) => node === other[place]);
}

/** Whether both are shown alike; where the name stands is looked up when it is asked for. */
function looksSame(one: Tool, other: Tool): boolean {
  return (
    one.identity === other.identity &&
    one.state === other.state &&
    one.text === other.text &&
    one.detail === other.detail &&
    one.implementation === other.implementation &&
    one.asOf === other.asOf &&
    one.commands.join() === other.commands.join()
  );
}

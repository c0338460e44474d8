// Messages that know what they answer: a tree, because whoever changes a question or asks for another answer makes a branch. One way from the
// root to a leaf is the conversation as it is shown; each other leaf ends a branch of its own.
import type { Fields } from './fields.ts';

export interface TreeNode {
  id: string;
  parent: string | undefined;
  value: Fields;
}

export interface TreeBranch {
  /** Its first message that no other way has: the same however the branch grows. */
  first: string;
  leaf: string;
  /** The messages that no way before it has, the last one first. */
  own: TreeNode[];
}

export class MessageTree {
  readonly #nodes = new Map<string, TreeNode>();
  readonly #parents = new Set<string>();
  readonly #current: string | undefined;

  /** In the order of the file. Where nobody says which leaf is current, it is the last one. */
  constructor(nodes: Iterable<TreeNode>, current: string | undefined) {
    for (const node of nodes) this.#nodes.set(node.id, node);
    for (const { parent } of this.#nodes.values()) if (parent !== undefined) this.#parents.add(parent);
    this.#current = current !== undefined && this.#nodes.has(current) ? current : this.#leaves().at(-1);
  }

  get current(): string | undefined {
    return this.#current;
  }

  has(id: string): boolean {
    return this.#nodes.has(id);
  }

  /** From the root to the leaf, the current one where none is named. A circle ends where it closes. */
  path(leaf: string | undefined = this.#current): TreeNode[] {
    const path: TreeNode[] = [];
    const seen = new Set<string>();
    for (let node = this.#find(leaf); node && !seen.has(node.id); node = this.#find(node.parent)) {
      seen.add(node.id);
      path.push(node);
    }
    return path.reverse();
  }

  /** The ways that are not current, in the order of the file. */
  branches(): TreeBranch[] {
    const taken = new Set(this.path().map(({ id }) => id));
    const branches: TreeBranch[] = [];
    for (const leaf of this.#leaves()) {
      const own: TreeNode[] = [];
      for (let node = this.#find(leaf); node && !taken.has(node.id); node = this.#find(node.parent)) {
        taken.add(node.id);
        own.push(node);
      }
      const first = own.at(-1)?.id;
      if (first !== undefined) branches.push({ first, leaf, own });
    }
    return branches;
  }

  /** The last message of the path that the other leaf has before it, too. */
  meeting(leaf: string, path: readonly TreeNode[]): string | undefined {
    const ids = new Set(path.map(({ id }) => id));
    return this.path(leaf).findLast(({ id }) => ids.has(id))?.id;
  }

  #find(id: string | undefined): TreeNode | undefined {
    return id === undefined ? undefined : this.#nodes.get(id);
  }

  #leaves(): string[] {
    return [...this.#nodes.keys()].filter((id) => !this.#parents.has(id));
  }
}

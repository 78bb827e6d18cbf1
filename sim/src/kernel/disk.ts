/**
 * A node's disk: files by folder. It outlives the processes that use it, so a
 * kubelet or a plugin that starts again finds what it wrote before. A file
 * that is JSON may be kept as the object itself; reading it as text prints it.
 * Leaves out: permissions, links, sizes other than that of the text.
 */
export type FileContent = string | object;

export class Disk {
  private readonly folders = new Map<string, Map<string, FileContent>>();
  private readonly watchers = new Map<string, Set<() => void>>();

  /** Calls `listener` when a file right in the folder changes, until undone. */
  watch(folder: string, listener: () => void): () => void {
    const listeners = this.watchers.get(folder) ?? new Set();
    this.watchers.set(folder, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Text of the file, or undefined if there is none. */
  read(path: string): string | undefined {
    const content = this.get(path);
    return typeof content === "object" ? JSON.stringify(content) : content;
  }

  /** The file as JSON: the object it was written as, or its text parsed. */
  readJson(path: string): unknown {
    const content = this.get(path);
    return typeof content === "string" ? JSON.parse(content) : content;
  }

  write(path: string, content: FileContent): void {
    const [folder, name] = split(path);
    let files = this.folders.get(folder);
    if (!files) this.folders.set(folder, (files = new Map()));
    files.set(name, content);
    this.tell(folder);
  }

  /** Adds a line at the end of the file. */
  append(path: string, line: string): void {
    this.write(path, `${this.read(path) ?? ""}${line}\n`);
  }

  /** True if the file was there. */
  remove(path: string): boolean {
    const [folder, name] = split(path);
    const was = this.folders.get(folder)?.delete(name) ?? false;
    if (was) this.tell(folder);
    return was;
  }

  private tell(folder: string): void {
    if (this.watchers.size === 0) return;
    for (const listener of this.watchers.get(folder) ?? []) listener();
  }

  exists(path: string): boolean {
    return this.get(path) !== undefined;
  }

  /** Names of the files right in the folder, sorted as text. */
  list(folder: string): string[] {
    return [...(this.folders.get(folder)?.keys() ?? [])].sort();
  }

  /** Files right in the folder, in the order of their making. */
  entries(folder: string): ReadonlyMap<string, FileContent> {
    return this.folders.get(folder) ?? NO_FILES;
  }

  /** Folders below this one, at any depth, sorted as text. */
  below(folder: string): string[] {
    const start = `${folder}/`;
    const names = [...this.folders.keys()];
    return names.filter((name) => name.startsWith(start)).sort();
  }

  /** Removes a folder with all that is below it. */
  removeFolder(folder: string): void {
    for (const name of [...this.folders.keys()]) {
      if (name === folder || name.startsWith(`${folder}/`)) {
        this.folders.delete(name);
      }
    }
  }

  private get(path: string): FileContent | undefined {
    const [folder, name] = split(path);
    return this.folders.get(folder)?.get(name);
  }
}

const NO_FILES: ReadonlyMap<string, FileContent> = new Map();

function split(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, slash), path.slice(slash + 1)];
}

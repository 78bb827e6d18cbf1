/**
 * Modules that stand, in one script, for modules that lie in another. What a
 * stand gives is the value itself where that is surely there, else a function
 * that finds it when it is called.
 */
import { resolveImport } from "../../src/sandbox/runtime/graph.ts";
import { type BundleInput, CORE, type Division } from "./division.ts";

const FROM = `export const from = (path, name, part) => (globalThis.__sim[path] ?? late.miss(part))[name];`;

/** In the core: calls what lies in parts, and says what is not there. */
export const LATE = `export const late = (n, args, self) => (late.f[n] ?? late.miss(n)).apply(self, args);
late.f = [];
late.miss = (what) => {
  late.told?.(what);
  throw new Error("a part of the simulator is not loaded");
};
${FROM}
globalThis.__late = late;`;

export const LATE_IN_PART = `export const late = globalThis.__late;
${FROM}
export const value = (place) => globalThis.__values[place];
export const first = (home, place) => globalThis.__values[home][place];`;

/** Marks a value that a script wants of one that may come after it. */
export const TOO_EARLY = /sim-too-early:([\w./-]+)/g;

const TAKES = `import { late as $late, from as $from } from "sim:late";`;
const TAKES_VALUES = `${TAKES}import { value as $value, first as $first } from "sim:late";`;

type Kind = "function" | "class" | "value";

export class Stands {
  private readonly input: BundleInput;
  private readonly division: Division;

  constructor(input: BundleInput, division: Division) {
    this.input = input;
    this.division = division;
  }

  /** In the core or a first part, for a module of another of them. */
  inFirst(path: string): string {
    const { division } = this;
    const home = division.homeOf(path);
    const lines = [home === CORE ? TAKES_VALUES : TAKES];
    const cold = division.coldOf(path);
    for (const name of this.input.modules.get(path)!.exports) {
      const id = cold.get(name);
      const far = `$from(${JSON.stringify(path)}, "${name}", "${home}")`;
      if (id !== undefined) lines.push(`export const ${name} = (...args) => $late(${id}, args);`);
      else if (home === CORE) lines.push(pure(name, this.placed(path, name)));
      else lines.push(whenCalled(name, far, this.kindOf(path, name), path));
    }
    return lines.join("\n");
  }

  /** In a late part, for a module that lies elsewhere. */
  inLate(request: string, part: string): string {
    const { division } = this;
    const [path = ""] = request.split("#");
    const split = division.splits.get(path);
    const isHot = division.hot.has(path);
    const home = isHot ? division.homeOf(path) : division.partOf(path);
    const lines = [TAKES_VALUES];
    const cold = division.coldOf(path);
    for (const name of this.input.modules.get(path)!.exports) {
      const id = cold.get(name);
      const far = `$from(${JSON.stringify(path)}, "${name}", "${home}")`;
      if (id !== undefined) {
        lines.push(
          division.partOf(path) === part
            ? `export { ${name} } from "cold:${path}";`
            : `export const ${name} = (...args) => $late(${id}, args);`,
        );
      } else if (isHot) lines.push(pure(name, this.placed(path, name)));
      else if (this.kindOf(path, name) === "function") {
        lines.push(`export const ${name} = (...args) => ${far}(...args);`);
      } else lines.push(pure(name, far));
    }
    for (const name of split?.inner ?? []) lines.push(pure(name, this.placed(path, name)));
    return lines.join("\n");
  }

  /** A value of the core or of a first part, by its place. */
  private placed(path: string, name: string): string {
    const home = this.division.homeOf(path);
    const slot = this.division.slotOf(path, name);
    return home === CORE ? `$value(${slot})` : `$first("${home}", ${slot})`;
  }

  kindOf(path: string, name: string): Kind {
    const text = this.input.sources.get(path)!;
    if (new RegExp(`^export (async )?function\\*? ${name}\\b`, "m").test(text)) return "function";
    if (new RegExp(`^export class ${name}\\b`, "m").test(text)) return "class";
    const again = new RegExp(`^export \\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)"`, "m").exec(
      text,
    );
    const target = again && resolveImport(path, again[1]!);
    return target ? this.kindOf(target, name) : "value";
  }
}

function pure(name: string, call: string): string {
  return `export const ${name} = /* @__PURE__ */ ${call};`;
}

function whenCalled(name: string, far: string, kind: Kind, path: string): string {
  if (kind === "function") return `export const ${name} = (...args) => ${far}(...args);`;
  if (kind === "class") return `export function ${name}(...args) { return new (${far})(...args); }`;
  return pure(name, `$from("sim-too-early:${path}")`);
}

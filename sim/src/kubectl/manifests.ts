/**
 * What `-f` names: files of YAML or JSON documents, Lists unpacked, each
 * object with its place. What cannot be read is told and skipped, so that the
 * other documents are still applied, as kubectl does.
 * Models:     cli-runtime/pkg/resource/{builder,visitor}.go @ v1.36
 */
import { goSortedJson } from "../api/go-text.ts";
import type { Kind } from "../api/kinds/definition.ts";
import { type LabelSelector, parseLabelSelector } from "../api/selector.ts";
import type { JsonObject, KubeObject, Labels } from "../api/types.ts";
import { parseManifests } from "../api/yaml.ts";
import type { Args } from "./args.ts";
import { CommandError, type Environment } from "./environment.ts";
import {
  refuseBoth,
  refuseKustomize,
  versionMissing,
  wrongMetadata,
} from "./manifests/checks.ts";
import { near } from "./near.ts";
import { type Place, type Problem, problemAt, wrongTypeIn } from "./problem.ts";

export interface Manifest {
  readonly kind: Kind;
  /** With its namespace filled in. */
  readonly object: KubeObject;
  readonly place: Place;
}

export interface Manifests {
  readonly items: readonly Manifest[];
  /** What could not be read: the command tells it at its end. */
  readonly errors: readonly CommandError[];
}

/** `verb` is for the message that there was nothing to do. */
export function readManifests(
  args: Args,
  env: Environment,
  verb: string,
): Manifests {
  requireFiles(args);
  const read = readFiles(args, env);
  if (read.items.length === 0 && read.errors.length === 0) {
    const [first = ""] = args.list("filename");
    env.problem?.({ ...nowhere(first), code: "noObjects", params: {} });
    throw new CommandError(`no objects passed to ${verb}`);
  }
  return read;
}

/** The same where it is no mistake if there is nothing. */
export function readFiles(args: Args, env: Environment): Manifests {
  refuseKustomize(args);
  const reader = new Reader(args, env);
  for (const name of args.list("filename")) reader.read(name);
  return reader;
}

export function requireFiles(args: Args): void {
  refuseBoth(args);
  if (args.list("filename").length === 0)
    throw new CommandError("must specify one of -f and -k");
}

class Reader implements Manifests {
  readonly items: Manifest[] = [];
  readonly errors: CommandError[] = [];
  private readonly env: Environment;
  /** Said in the line itself, not by the context alone. */
  private readonly own: string | undefined;
  private readonly namespace: string;
  private readonly selector: LabelSelector | undefined;

  constructor(args: Args, env: Environment) {
    this.env = env;
    this.own = args.all("namespace").at(-1);
    this.namespace = args.get("namespace") ?? "default";
    const selector = args.get("selector");
    this.selector = selector ? parseLabelSelector(selector) : undefined;
  }

  read(name: string): void {
    const text = this.env.files[name];
    if (text === undefined) {
      throw new CommandError(`the path "${name}" does not exist`);
    }
    const file = name === "-" ? "STDIN" : name;
    const { documents, errors } = parseManifests(text);
    documents.forEach((source, i) => {
      if (source.value === null) return; // Only comments.
      const place = { file, document: i + 1, source, path: [] };
      this.take(source.value as JsonObject, place);
    });
    for (const error of errors) {
      const { code, document, line, column, params, message } = error;
      this.fail(`error parsing ${file}: ${message}`, {
        code: `yaml.${code}`,
        params: { ...params, message },
        file,
        document: document + 1,
        line,
        column,
      });
    }
  }

  private take(value: JsonObject, place: Place): void {
    if (typeof value !== "object" || Array.isArray(value)) {
      return this.refuse(place, "notAnObject", "", "not an object");
    }
    const { apiVersion, kind, items } = value;
    if (typeof kind !== "string" || kind === "") {
      const text = `Object 'Kind' is missing in '${goSortedJson(value)}'`;
      return this.refuse(place, "kindMissing", "", text);
    }
    if (typeof apiVersion !== "string" || apiVersion === "") {
      const text = versionMissing(value);
      return this.refuse(place, "apiVersionMissing", "", text);
    }
    if (kind.endsWith("List") && Array.isArray(items)) {
      items.forEach((item, i) => {
        const path = [...place.path, "items", i];
        this.take(item as JsonObject, { ...place, path });
      });
      return;
    }
    this.takeOne(value, apiVersion, kind, place);
  }

  private takeOne(
    value: JsonObject,
    apiVersion: string,
    kindName: string,
    place: Place,
  ): void {
    const metadata = (value.metadata ?? {}) as JsonObject;
    const name = String(metadata.name ?? "");
    const kind = this.env.kinds.kindOf(apiVersion, kindName);
    if (!kind) {
      const known = this.env.kinds.all().map((one) => one.kind);
      const text =
        `resource mapping not found for name: "${name}" namespace: ` +
        `"${metadata.namespace ?? ""}" from "${place.file}": no matches for ` +
        `kind "${kindName}" in version "${apiVersion}"\n` +
        "ensure CRDs are installed first";
      const params = {
        kind: kindName,
        apiVersion,
        near: near(kindName, known),
      };
      const said = { ...params, message: text };
      this.fail(text, problemAt(place, "kindUnknown", said, "kind"));
      return;
    }
    const wrong = wrongMetadata(value.metadata, kind, this.env);
    if (wrong !== undefined) {
      const text = `unable to decode "${place.file}": ${wrong}`;
      const at = () => problemAt(place, "refused", { message: text });
      return this.fail(text, wrongTypeIn(text, place) ?? at());
    }
    if (!name && !metadata.generateName) {
      return this.refuse(
        place,
        "nameMissing",
        "metadata",
        "resource name may not be empty",
      );
    }
    if (this.isElsewhere(metadata, kind)) return;
    const labels = (metadata.labels ?? {}) as Labels;
    if (this.selector && !this.selector.matches(labels)) return;
    const object = { ...value, metadata: this.withNamespace(metadata, kind) };
    this.items.push({
      kind,
      object: object as JsonObject as JsonObject & KubeObject,
      place,
    });
  }

  private withNamespace(metadata: JsonObject, kind: Kind): JsonObject {
    if (!kind.namespaced || metadata.namespace) return metadata;
    return { ...metadata, namespace: this.namespace };
  }

  /** `-n` must say what the object says itself, if it says anything. */
  private isElsewhere({ namespace: own }: JsonObject, kind: Kind): boolean {
    const { own: namespace } = this;
    if (!kind.namespaced || !namespace || !own || own === namespace)
      return false;
    const text =
      `the namespace from the provided object "${own}" does not match the ` +
      `namespace "${namespace}". You must pass '--namespace=${own}' to perform ` +
      "this operation.";
    // No mistake of the manifest's: the editor marks nothing.
    this.errors.push(new CommandError(text));
    return true;
  }

  private refuse(
    place: Place,
    code: string,
    field: string,
    text: string,
  ): void {
    const message = `unable to decode "${place.file}": ${text}`;
    this.fail(message, problemAt(place, code, { message }, field));
  }

  private fail(text: string, problem: Problem): void {
    this.errors.push(new CommandError(text));
    this.env.problem?.(problem);
  }
}

function nowhere(file: string) {
  return { file, document: 0, line: 0, column: 0 };
}

/**
 * What a container does comes from its image: how long it takes to serve,
 * which ports, how much memory, when it ends. A scenario or a reader may
 * define images of their own; an image that nobody defined is a plain server.
 * Leaves out: real layers; an image has a size and that is all.
 * Try:        define an image that needs 20 s to serve, and give its Pod a
 *             liveness probe of 10 s.
 */
export interface ImageDefinition {
  /** Repository as people write it: `nginx`, `registry.example/app`. */
  readonly name: string;
  /**
   * Tags that exist; absent: whatever looks like a version. Definitions of
   * one name and different tags are versions that do different things.
   */
  readonly tags?: readonly string[];
  readonly sizeBytes?: number;
  /** Ports that it serves; absent: those that the Pod declares, or all. */
  readonly ports?: readonly number[];
  /** From its start until it serves, in ms. */
  readonly startMs?: number;
  /** Ends by itself, so long after its start. Absent: runs for ever. */
  readonly exit?: { readonly afterMs: number; readonly code: number };
  /** From TERM to its end, in ms; absent: at once. "never": ignores TERM. */
  readonly stopMs?: number | "never";
  /** Exit code after TERM. */
  readonly stopCode?: number;
  /** Working memory once started, and its growth. */
  readonly memoryBytes?: number;
  readonly memoryGrowthBytesPerSecond?: number;
  readonly cpuMilli?: number;
  /** Bytes on disk once started, and what it writes more each second. */
  readonly diskBytes?: number;
  readonly diskGrowthBytesPerSecond?: number;
  /** Files that it makes of them, 1 unless said, and how many more a second. */
  readonly files?: number;
  readonly fileGrowthPerSecond?: number;
  /** Where it writes them: `/cache`. Absent: into its own layer. */
  readonly diskPath?: string;
  /** Its processes once started, 1 unless said, and their growth. */
  readonly processes?: number;
  readonly processGrowthPerSecond?: number;
  /** HTTP status for a path at an age; absent: 200 for all. */
  readonly http?: (path: string, ageMs: number) => number;
  /** The same as plain data, for a lab: while it is so old it answers 500. */
  readonly sick?: { readonly fromMs: number; readonly toMs: number };
  /** From a request to its answer, in ms; absent: at once. */
  readonly answerMs?: number;
  /**
   * What it says of its services to a gRPC health check, the server itself
   * being "": `SERVING`, `NOT_SERVING`. Absent: that all of them serve.
   */
  readonly grpc?: Readonly<Record<string, string>>;
  /** What it prints, when, and how often from then on. */
  readonly logs?: readonly {
    readonly afterMs: number;
    readonly text: string;
    readonly everyMs?: number;
  }[];
  /** A shell lies in the image: `sh -c` works, and so do sleep and echo. */
  readonly shell?: boolean;
}

/** What a program of that image answers at an age. */
export function httpStatus(
  { http, sick }: ImageDefinition,
  path: string,
  ageMs: number,
): number {
  const isSick = sick && ageMs >= sick.fromMs && ageMs < sick.toMs;
  return isSick ? 500 : (http?.(path, ageMs) ?? 200);
}

/** A full reference: `docker.io/library/nginx:1.27`. */
export interface ImageReference {
  /** With registry and path: `docker.io/library/nginx`. */
  readonly repository: string;
  readonly tag: string;
  readonly digest?: string;
}

/** Reads a reference as Docker and containerd do; undefined: not one. */
export function parseReference(text: string): ImageReference | undefined {
  const at = text.indexOf("@");
  const digest = at < 0 ? undefined : text.slice(at + 1);
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const name = colon < 0 ? named : named.slice(0, colon);
  const tag = colon < 0 ? "latest" : named.slice(colon + 1);
  if (!/^[a-z0-9]+([._/:-]+[a-z0-9]+)*$/.test(name)) return undefined;
  if (!/^\w[\w.-]{0,127}$/.test(tag)) return undefined;
  return { repository: fullName(name), tag, digest };
}

/** `nginx` → `docker.io/library/nginx`. */
export function fullName(name: string): string {
  const [first = "", ...rest] = name.split("/");
  if (rest.length === 0) return `docker.io/library/${name}`;
  const isRegistry = /[.:]/.test(first) || first === "localhost";
  return isRegistry ? name : `docker.io/${name}`;
}

/** The other way: `docker.io/library/nginx:1.27` → `nginx:1.27`. */
export function familiarName(full: string): string {
  return full.replace(/^docker\.io\/(library\/)?/, "");
}

export function formatReference({ repository, tag, digest }: ImageReference) {
  return digest ? `${repository}@${digest}` : `${repository}:${tag}`;
}

/** Compares an answer with a recorded one, under the masks of FORMAT.md section 3. */
import { isDeepStrictEqual } from "node:util";
import { withoutEmpty } from "./harness.ts";

type Fields = Record<string, unknown>;

export interface GoldenRequest {
  method: string;
  path: string;
  accept?: string;
  contentType?: string;
  body?: unknown;
  headers?: Record<string, string>;
  user?: string;
  substitute?: { at: string[]; fromCase: string; path: string; value: unknown }[];
}

export interface Setup extends Partial<GoldenRequest> {
  beforeCaseIndex: number;
  waitMs?: number;
  untilCode?: number;
  everyMs?: number;
  maxTries?: number;
  action?: string;
}

export interface GoldenCase {
  case: string;
  request: GoldenRequest;
  response: {
    code: number;
    contentType?: string;
    warning?: string;
    retryAfter?: string;
    allow?: string;
    body: unknown;
    truncatedTo?: number;
  };
  unordered?: unknown;
}

interface Got {
  readonly code: number;
  readonly contentType: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What differs; nothing if the answer is the recorded one. */
export function differences(c: GoldenCase, got: Got): string[] {
  const { response, request } = c;
  const problems: string[] = [];
  const expect = (what: string, expected: unknown, actual: unknown) => {
    if (!isDeepStrictEqual(expected, actual)) {
      problems.push(`${what}: expected ${show(expected)}, got ${show(actual)}`);
    }
  };
  expect("code", response.code, got.code);
  if (response.contentType) expect("content type", response.contentType, got.contentType);
  if (response.warning) expect("warning", response.warning, got.headers.get("warning"));
  if (response.retryAfter) {
    expect("retry-after", String(response.retryAfter), got.headers.get("retry-after"));
  }
  if (response.allow) expect("allow", response.allow, got.headers.get("allow"));
  const sent = JSON.stringify(request.body ?? "") + request.path;
  problems.push(...bodyDifferences(c, got.body, sent));
  return problems;
}

function bodyDifferences(c: GoldenCase, text: string, sent: string): string[] {
  const { body, truncatedTo } = c.response;
  if (typeof body !== "string") {
    const [expected, actual] = [masked(body, sent), masked(parse(text), sent)];
    return compare(c, expected, actual);
  }
  if (!/[?&]watch=/.test(c.request.path)) {
    const [expected, actual] = [maskText(body, sent), maskText(text, sent)];
    if (maskYaml(expected) === maskYaml(actual)) return [];
    return [`body: expected ${show(expected)}, got ${show(actual)}`];
  }
  const lines = body.split("\n").filter(Boolean);
  const own = text.split("\n").filter(Boolean);
  const whole = truncatedTo ? lines.slice(0, -1) : lines;
  const problems: string[] = [];
  if (!truncatedTo && own.length !== lines.length) {
    problems.push(`${lines.length} events expected, got ${own.length}`);
  }
  for (const [i, line] of whole.entries()) {
    const [expected, actual] = [masked(parse(line), sent), masked(parse(own[i] ?? ""), sent)];
    problems.push(...compare(c, expected, actual).map((problem) => `event ${i}: ${problem}`));
  }
  return problems;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function compare(c: GoldenCase, expected: unknown, actual: unknown): string[] {
  const [a, b] = [adapted(c, expected), adapted(c, actual)];
  const [x, y] = [withoutEmpty(served(c, a, b)), withoutEmpty(b)];
  if (isDeepStrictEqual(x, y)) return [];
  return firstDifferences(x, y, "");
}

/** Of a discovery list, what we do not serve is left out; the order is firm. */
function served(c: GoldenCase, expected: unknown, actual: unknown): unknown {
  const [pathname = ""] = c.request.path.split("?");
  return /^\/(api|apis)(\/|$)/.test(pathname) && isDiscovery(expected)
    ? common(expected, actual)
    : expected;
}

function isDiscovery(body: unknown): boolean {
  return /^API(Group|Resource|Versions)/.test(String((body as Fields)?.kind ?? ""));
}

/** `expected` without the list entries that `actual` has no namesake of. */
function common(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const own = new Map(actual.map((item) => [nameOfEntry(item), item]));
    return expected
      .filter((item) => typeof item !== "object" || own.has(nameOfEntry(item)))
      .map((item) => common(item, own.get(nameOfEntry(item)) ?? item));
  }
  if (typeof expected !== "object" || expected === null) return expected;
  const out: Fields = {};
  for (const [key, child] of Object.entries(expected)) {
    out[key] = common(child, (actual as Fields)?.[key]);
  }
  return out;
}

function nameOfEntry(item: unknown): string {
  const { name, resource, subresource, version, metadata } = (item ?? {}) as Fields;
  const meta = (metadata ?? {}) as Fields;
  return String(name ?? resource ?? subresource ?? version ?? meta.name ?? "");
}

function adapted(c: GoldenCase, body: unknown): unknown {
  const { path } = c.request;
  if (path.startsWith("/version")) return versionOf(body);
  if (path === "/openapi/v3") return Object.keys((body as Fields)?.paths ?? {});
  if (c.unordered) return unorderedOf(body);
  return body;
}

function versionOf(body: unknown): unknown {
  const { major, minor, gitVersion } = (body ?? {}) as Record<string, string>;
  return { major, minor, version: gitVersion?.split(".").slice(0, 2) };
}

function unorderedOf(body: unknown): unknown {
  const copy = structuredClone(body) as Fields & { details?: Fields; status?: Fields };
  delete copy.message;
  const sorted = (list: unknown) =>
    Array.isArray(list)
      ? list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : list;
  if (copy.details?.causes) copy.details.causes = sorted(copy.details.causes);
  for (const field of ["resourceRules", "nonResourceRules"]) {
    if (copy.status?.[field]) copy.status[field] = sorted(copy.status[field]);
  }
  return copy;
}

const MASKED_FIELDS = new Set(["resourceVersion", "continue", "token", "serverAddress"]);
const PORT_FIELDS = new Set(["nodePort", "healthCheckNodePort"]);
const AGE_COLUMNS = new Set(["Age", "Last Seen", "First Seen"]);

function masked(value: unknown, sent: string, key = ""): unknown {
  if (typeof value === "string") {
    return MASKED_FIELDS.has(key) ? "<masked>" : maskText(value, sent);
  }
  if (PORT_FIELDS.has(key) && typeof value === "number") {
    return sent.includes(String(value)) ? value : "<port>";
  }
  if (Array.isArray(value)) {
    if (key === "managedFields") return value.map(managedEntry);
    return value.map((item) => masked(item, sent, ""));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(maskAges(value as Fields));
  const out: Fields = {};
  for (const [name, child] of entries) out[maskText(name, sent)] = masked(child, sent, name);
  return maskGenerated(out);
}

/** A name that generateName made. */
function maskGenerated(object: Fields): Fields {
  const { name, generateName } = object;
  if (typeof name !== "string" || typeof generateName !== "string") return object;
  return { ...object, name: name.replace(/[bcdfghjklmnpqrstvwxz2456789]{5}$/, "<suffix>") };
}

/** Cells of a table that tell an age; columns may be said only once a watch. */
function maskAges(object: Fields): Fields {
  if (object.kind !== "Table" || !Array.isArray(object.rows)) return object;
  const columns = object.columnDefinitions as { name: string }[] | null;
  const rows = (object.rows as Fields[]).map((row) => ({
    ...row,
    cells: (row.cells as unknown[]).map((cell, i) => {
      const isAge = columns
        ? AGE_COLUMNS.has(columns[i]?.name ?? "")
        : /^\d+[smhd]/.test(`${cell}`);
      return isAge ? "<age>" : cell;
    }),
  }));
  return { ...object, rows };
}

/** A manager, and the set of paths that it owns. */
function managedEntry(entry: unknown): unknown {
  const { manager, operation, subresource, fieldsV1 } = entry as Fields;
  return { manager, operation, subresource, fields: pathsOf(fieldsV1).toSorted() };
}

function pathsOf(fields: unknown, path = ""): string[] {
  const children = Object.entries((fields ?? {}) as Fields);
  const below = children.flatMap(([name, child]) => pathsOf(child, `${path}/${name}`));
  return children.length === 0 ? [path] : [...below, ...(path ? [path] : [])];
}

function maskText(text: string, sent: string): string {
  return text
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uid>")
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
    .replace(/\b10\.96\.\d+\.\d+\b/g, (ip) =>
      ip === "10.96.0.1" || sent.includes(ip) ? ip : "<ip>",
    )
    .replace(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access-<suffix>")
    .replace(/current: \d+/g, "current: <rv>")
    .replace(/\(\d+\)/g, "(<rv>)");
}

function maskYaml(text: string): string {
  return text.replace(/resourceVersion: "\d+"/g, 'resourceVersion: "<masked>"');
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

/** Up to eight places where two values differ. */
function firstDifferences(a: unknown, b: unknown, path: string): string[] {
  if (isDeepStrictEqual(a, b)) return [];
  const both = typeof a === "object" && typeof b === "object" && a && b;
  if (!both || Array.isArray(a) !== Array.isArray(b)) {
    return [`${path || "body"}: expected ${show(a)}, got ${show(b)}`];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const found: string[] = [];
  for (const key of keys) {
    found.push(...firstDifferences((a as Fields)[key], (b as Fields)[key], `${path}.${key}`));
  }
  return found.slice(0, 8);
}

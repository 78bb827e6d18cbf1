/**
 * crictl inspect, inspectp and inspecti: a Status answer as JSON, its fields
 * in camel case and its moments as times of day.
 * Models: cri-tools cmd/crictl/{container,sandbox,image,util}.go
 */
const TIMES = /^(created|started|finished)_at$/;

/** The text of `{ status: … }`. */
export function inspectText(status: object): string {
  return JSON.stringify({ status: shown(status) }, null, 2);
}

function shown(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(item));
  if (TIMES.test(key)) return timeOf(Number(value ?? 0));
  if (typeof value !== "object" || value === null) return value;
  // Keys of these are names, not fields.
  const isMap = key === "labels" || key === "annotations";
  const entries = Object.entries(value).map(([name, inner]) => [
    isMap ? name : camelCase(name),
    shown(inner, name),
  ]);
  return Object.fromEntries(entries);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `2026-01-01T00:00:12.345678Z`; Go's zero time if it has not been. */
function timeOf(nanos: number): string {
  if (nanos === 0) return "0001-01-01T00:00:00Z";
  const seconds = Math.floor(nanos / 1e9);
  const micros = Math.round((nanos - seconds * 1e9) / 1000);
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  const fraction = String(micros).padStart(6, "0").replace(/0+$/, "");
  return `${text}${fraction ? `.${fraction}` : ""}Z`;
}

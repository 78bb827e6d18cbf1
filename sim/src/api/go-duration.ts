/**
 * Durations as Go writes them, `1h30m`, and what Go says of other texts.
 * Models: time.ParseDuration of Go
 */

function msOf(unit: string): number | undefined {
  const units: { readonly [unit: string]: number } = {
    ...{ h: 3_600_000, m: 60_000, s: 1_000, ms: 1 },
    ...{ us: 0.001, "\u00b5s": 0.001, "\u03bcs": 0.001, ns: 0.000_001 },
  };
  return Object.hasOwn(units, unit) ? units[unit] : undefined;
}

/** In ms; `fail` is told why it is no duration, and does not return. */
export function goDurationMs(
  text: string,
  fail: (why: string) => never,
): number {
  const invalid = (): never => fail(`time: invalid duration ${quoted(text)}`);
  let rest = text.replace(/^[-+]/, "");
  if (rest === "0") return 0;
  if (rest === "") return invalid();
  let sumMs = 0;
  while (rest !== "") {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (number === undefined) return invalid();
    const unit = /^[^\d.]*/.exec(rest.slice(number.length))![0];
    if (unit === "") {
      return fail(`time: missing unit in duration ${quoted(text)}`);
    }
    const unitMs = msOf(unit);
    if (unitMs === undefined) {
      const where = `in duration ${quoted(text)}`;
      return fail(`time: unknown unit ${quoted(unit)} ${where}`);
    }
    sumMs += Number(number) * unitMs;
    // Go counts nanoseconds, in 63 bits.
    if (sumMs * 1e6 >= 2 ** 63) return invalid();
    rest = rest.slice(number.length + unit.length);
  }
  return text.startsWith("-") ? -sumMs : sumMs;
}

/** What is not printable ASCII comes as its bytes: `\xc2\xb5`. */
function quoted(text: string): string {
  const shown = text.replace(/["\\]|[^ -\x7f]/gu, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    const bytes = [...new TextEncoder().encode(char)];
    return bytes.map((b) => `\\x${b.toString(16).padStart(2, "0")}`).join("");
  });
  return `"${shown}"`;
}

/** Computes the contrasts of src/styles/tokens.css in both themes. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/styles/tokens.css", "utf8");
const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }],
  ),
);

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [a, b] = [tokens.get(one)?.[theme], tokens.get(other)?.[theme]];
  if (!a || !b) throw new Error(`No token --${a ? other : one} in tokens.css.`);
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const parts = [
  "api",
  "etcd",
  "controller",
  "scheduler",
  "kubelet",
  "cri",
  "cni",
  "csi",
  "you",
  "error",
];
const grounds = ["paper", "surface", "raised"];

describe.each(themes)("%s", (theme) => {
  it("knows what contrast is", () => {
    expect(contrast("ink", "ink", theme)).toBe(1);
    expect(luminance("#ffffff")).toBeCloseTo(1);
    expect(luminance("#000000")).toBe(0);
  });

  it.each(["ink", "ink-soft", "focus", ...parts])("--%s reads as text on every ground", (name) => {
    for (const ground of grounds) {
      expect(contrast(name, ground, theme), `on --${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(parts)("--%s reads as text on its tint, and so does ink", (name) => {
    for (const text of [name, "ink", "ink-soft"]) {
      expect(contrast(text, `${name}-tint`, theme), `--${text}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(parts)("paper reads as text on a field of --%s", (name) => {
    expect(contrast("paper", name, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it("lines of controls are seen on every ground", () => {
    for (const ground of grounds) {
      expect(contrast("line-strong", ground, theme), ground).toBeGreaterThanOrEqual(3);
    }
  });

  it("no two parts share a colour", () => {
    const colours = parts.filter((name) => name !== "you").map((name) => tokens.get(name)?.[theme]);
    expect(new Set(colours).size).toBe(colours.length);
  });
});

it("every token that a style uses is defined", () => {
  const defined = new Set([...css.matchAll(/--([\w-]+):/g)].map((match) => match[1]));
  for (const name of parts) expect(defined.has(name) && defined.has(`${name}-tint`)).toBe(true);
});

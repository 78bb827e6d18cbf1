/**
 * The browser that tests run in: CHROME_PATH, else the system's Chromium, else
 * the one from npm. A fresh machine needs nothing but npm.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Browser {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const SYSTEM = "/usr/bin/chromium";

export async function findBrowser(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const env = { ...definedEnv(), FONTCONFIG_FILE: fontConfig() };
  const chosen = process.env.CHROME_PATH;
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`CHROME_PATH: there is no ${chosen}`);
    return { executablePath: chosen, args, env };
  }
  if (existsSync(SYSTEM)) return { executablePath: SYSTEM, args, env };
  const { default: chromium } = await import("@sparticuz/chromium");
  return { executablePath: await chromium.executablePath(), args, env };
}

function definedEnv(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Writes a font configuration with the Japanese font from npm; returns its path. */
export function fontConfig(): string {
  const known = process.env.FONTCONFIG_FILE;
  if (known) return known;
  const folder = join(tmpdir(), "shikumi-fonts");
  mkdirSync(join(folder, "cache"), { recursive: true });
  const file = join(folder, "fonts.conf");
  const system = existsSync("/usr/share/fonts") ? "<dir>/usr/share/fonts</dir>" : "";
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
${system}<dir>${japaneseFontFolder()}</dir><cachedir>${join(folder, "cache")}</cachedir>
<alias><family>sans-serif</family><prefer><family>BIZ UDPGothic</family></prefer></alias>
</fontconfig>`,
  );
  return file;
}

function japaneseFontFolder(): string {
  const entry = fileURLToPath(import.meta.resolve("@expo-google-fonts/biz-udpgothic/package.json"));
  const folder = dirname(entry);
  const regular = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) =>
    /400Regular.*\.ttf$/.test(name),
  );
  if (!regular) throw new Error(`no font in ${folder}`);
  return dirname(join(folder, regular));
}

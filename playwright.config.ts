/**
 * Tests in a real browser: `*.pw.ts` under test/browser. Each serves what it
 * needs by itself (support/site.ts: the built site; support/runtime-site.ts:
 * the sandbox over a small simulator), so nothing has to be started before.
 * `WC_LIVE=1` runs the tests that need the real WebContainer service instead.
 */
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./test/browser/support/browser.ts";

const { executablePath, args, env } = await findBrowser();
const live = process.env.WC_LIVE === "1";

export default defineConfig({
  testDir: "test/browser",
  testMatch: live ? "**/*.live.ts" : "**/*.pw.ts",
  outputDir: "test-results/browser",
  workers: 2,
  // Twice and thrice what a slow machine was seen to need.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    locale: "en",
    launchOptions: { executablePath, args, env },
  },
});

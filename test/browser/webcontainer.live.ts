/**
 * The real WebContainer service, by `WC_LIVE=1 npx playwright test`. It needs
 * the network, so it is no part of `npm test`.
 */
import { expect, test } from "@playwright/test";
import type { Program } from "../../src/sandbox/runtime/types.ts";
import { ask, decide } from "./support/edits.ts";
import { serveRuntimeSite } from "./support/runtime-site.ts";

test("the service boots, runs the edited package and passes its tests", async ({ page }) => {
  test.setTimeout(120_000);
  const site = await serveRuntimeSite(true);
  const program: Program = { files: {}, scenario: {}, seed: 7, inputs: ask(3) };
  const edited = { ...program, files: decide("return wanted * 2 - pods.length;") };
  // The service needs a secure context: localhost counts as one.
  await page.goto(`${site.origin.replace("127.0.0.1", "localhost")}/index.html`);
  expect(await page.evaluate(() => window.sandbox.boot("webcontainer", 60_000))).toBe("");
  for (const [one, pods] of [
    [program, 3],
    [edited, 6],
  ] as const) {
    const { end, messages } = await page.evaluate((p) => window.sandbox.run(p), one);
    expect(end).toMatchObject({ ok: true });
    const rows = messages.flatMap((message) => (message.type === "rows" ? message.rows : []));
    expect(rows.filter(({ object }) => object?.kind === "Pod")).toHaveLength(pods);
  }
  const tested = await page.evaluate((p) => window.sandbox.npmTest(p), program);
  expect(tested.exit, tested.output).toBe(0);
  await site.close();
});

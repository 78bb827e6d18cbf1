/** The WebContainer back end against the peer: the contract, and what only it does. */
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { Program } from "../../src/sandbox/runtime/types.ts";
import { runtimeContract } from "./support/contract.ts";
import { ask, decide } from "./support/edits.ts";
import { serveRuntimeSite } from "./support/runtime-site.ts";
import type { Served } from "./support/serve.ts";
import { type Peer, startPeer } from "./support/webcontainer-peer.ts";

runtimeContract("webcontainer");

const program: Program = { files: {}, scenario: {}, seed: 7, inputs: ask(3) };

test.describe("the webcontainer runtime's own", () => {
  let site: Served;
  let peer: Peer;
  let page: Page;

  test.beforeAll(async () => {
    [site, peer] = await Promise.all([serveRuntimeSite(true), startPeer()]);
  });
  test.afterAll(() => Promise.all([site.close(), peer.close()]));

  test.beforeEach(async ({ browser }) => {
    peer.fault = "none";
    peer.nodeOptions = "";
    page = await open(browser, site);
  });
  test.afterEach(() => page.close());

  async function open(browser: Browser, from: Served): Promise<Page> {
    const opened = await browser.newPage();
    const address = JSON.stringify(peer.origin);
    await opened.addInitScript(`globalThis.WEBCONTAINER_API_IFRAME_URL = ${address}`);
    await opened.goto(`${from.origin}/index.html`);
    return opened;
  }

  const boot = (timeoutMs = 10_000) =>
    page.evaluate((ms) => window.sandbox.boot("webcontainer", ms), timeoutMs);
  const run = (files = {}) => page.evaluate((p) => window.sandbox.run(p), { ...program, files });
  const npmTest = (files = {}) =>
    page.evaluate((p) => window.sandbox.npmTest(p), { ...program, files });

  test("nothing of it is loaded before it is asked for; then stages are told", async () => {
    const before = site.asked.length;
    await page.evaluate(() => window.sandbox.boot("worker"));
    expect(site.asked.slice(before).filter((path) => /webcontainer|runner/.test(path))).toEqual([]);
    await page.evaluate(() => window.sandbox.stages.splice(0));
    expect(await boot()).toBe("");
    expect(await page.evaluate(() => window.sandbox.stages)).toEqual([
      "load",
      "frame",
      "mount",
      "ready",
    ]);
  });

  test("the mounted project passes its own tests, and fails them after a breaking edit", async () => {
    await boot();
    const good = await npmTest();
    expect(good.exit, good.output).toBe(0);
    expect(good.output).toMatch(/pass 3/);
    const bad = await npmTest(decide('throw new Error("no idea");'));
    expect(bad.exit).toBe(1);
    expect(bad.output).toContain("replicaset-controller: Error: no idea");
  });

  test("runs on a Node that does not erase types", async () => {
    peer.nodeOptions = "--no-experimental-strip-types";
    await boot();
    const { end } = await run(decide("return wanted - pods.length;"));
    expect(end).toMatchObject({ ok: true });
    const tested = await npmTest();
    expect(tested.exit, tested.output).toBe(0);
  });

  test("opens a shell in the project's folder", async () => {
    await boot();
    const output = await page.evaluate(() => window.sandbox.shell("ls src; no-such-command"));
    expect(output).toContain("index.ts");
    expect(output).toContain("not found");
  });

  test("leaves no process behind", async () => {
    await boot();
    await run(decide("for (;;) {}"));
    await run();
    await page.evaluate(() => window.sandbox.dispose());
    await expect.poll(() => peer.running()).toBe(0);
  });

  test("boots again after it was let go", async () => {
    await boot();
    await page.evaluate(() => window.sandbox.dispose());
    expect(await boot()).toBe("");
    expect((await run()).end).toMatchObject({ ok: true });
  });

  for (const fault of ["hang", "drop"] as const) {
    test(`gives up after its time when the service's frame has a ${fault}, and can try again`, async () => {
      peer.fault = fault;
      expect(await boot(700)).toBe("sandbox.boot.timeout");
      expect(await page.locator("iframe[src*=headless]").count()).toBe(0);
      peer.fault = "none";
      expect(await boot()).toBe("");
      expect((await run()).end).toMatchObject({ ok: true });
    });
  }

  test("says that the service failed, and can try again", async () => {
    peer.fault = "build-error";
    expect(await boot()).toBe("sandbox.boot.service-failed");
    peer.fault = "none";
    expect(await boot()).toBe("");
    expect((await run()).end).toMatchObject({ ok: true });
  });

  test("waits for a slow service", async () => {
    peer.fault = "slow";
    expect(await boot()).toBe("");
  });

  test("falls back to the worker with the reason, and the reader's edit runs there", async () => {
    peer.fault = "hang";
    const booted = await page.evaluate(() => window.sandbox.bootOrFallBack(500));
    expect(booted).toEqual({ kind: "worker", fellBack: "sandbox.boot.timeout" });
    const { end, messages } = await run(decide("return wanted * 2 - pods.length;"));
    expect(end).toMatchObject({ ok: true });
    const rows = messages.flatMap((message) => (message.type === "rows" ? message.rows : []));
    expect(rows.filter(({ object }) => object?.kind === "Pod")).toHaveLength(6);
  });

  test("says so at once where the page is not isolated", async ({ browser }) => {
    const plain = await serveRuntimeSite(false);
    const other = await open(browser, plain);
    const said = await other.evaluate(() => window.sandbox.boot("webcontainer", 10_000));
    expect(said).toBe("sandbox.boot.not-isolated");
    await other.close();
    await plain.close();
  });

  test("a run whose service goes away ends with a sentence", async () => {
    await boot();
    const files = decide("for (;;) {}");
    const ending = page.evaluate((p) => window.sandbox.run(p), { ...program, files });
    await expect.poll(() => peer.running()).toBe(1);
    peer.cut();
    expect((await ending).end).toMatchObject({ ok: false, error: { kind: "crashed" } });
  });
});

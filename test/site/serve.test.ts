/** The static server: types, headers, clean addresses, 404 pages, nothing outside the folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../scripts/serve-static.ts";

const root = mkdtempSync(join(tmpdir(), "shikumi-serve-"));
const dist = join(root, "dist");
let server: Server;
let port = 0;

beforeAll(async () => {
  mkdirSync(join(dist, "en/guide"), { recursive: true });
  mkdirSync(join(dist, "ja"), { recursive: true });
  writeFileSync(join(root, "secret.txt"), "secret");
  writeFileSync(join(dist, "404.html"), "none");
  writeFileSync(join(dist, "ja/404.html"), "ありません");
  writeFileSync(join(dist, "en/guide/index.html"), "guide");
  writeFileSync(join(dist, "a.js"), "export {};");
  ({ server, port } = await serve({ dir: dist, port: 0 }));
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

/** Sends the path as it is; fetch would tidy `..` away. */
function get(path: string) {
  return new Promise<{ status: number; body: string; headers: Record<string, unknown> }>(
    (done, fail) => {
      const call = request({ port, path, host: "127.0.0.1" }, (response) => {
        let body = "";
        response.on("data", (piece) => (body += piece));
        response.on("end", () =>
          done({ status: response.statusCode ?? 0, body, headers: response.headers }),
        );
      });
      call.on("error", fail).end();
    },
  );
}

it("serves a folder's page and adds the slash", async () => {
  expect(await get("/en/guide/")).toMatchObject({ status: 200, body: "guide" });
  const { status, headers } = await get("/en/guide");
  expect([status, headers.location]).toEqual([308, "/en/guide/"]);
});

it("isolates the page and names the type", async () => {
  const { headers } = await get("/a.js?x=1");
  expect(headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "x-content-type-options": "nosniff",
  });
});

it("packs text for clients that take it", async () => {
  const response = await fetch(`http://127.0.0.1:${port}/en/guide/`);
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(await response.text()).toBe("guide");
  expect((await get("/en/guide/")).headers["content-encoding"]).toBeUndefined();
});

it("answers 404 with the page of the language", async () => {
  expect(await get("/ja/none/")).toMatchObject({ status: 404, body: "ありません" });
  expect(await get("/none")).toMatchObject({ status: 404, body: "none" });
});

it("never leaves the folder", async () => {
  for (const path of ["/../secret.txt", "/%2e%2e/secret.txt", "/en/..%2f..%2fsecret.txt"]) {
    const { status, body } = await get(path);
    expect([status, body], path).toEqual([404, "none"]);
  }
  expect((await get("/%E0%A4%A")).status).toBe(400);
});

it("says when a port is taken", async () => {
  await expect(serve({ dir: dist, port })).rejects.toThrow(/EADDRINUSE/);
});

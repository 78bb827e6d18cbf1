/** `test` with the built site (`dist`) served: `page.goto("/en/")` works. */
import { test as base } from "@playwright/test";
import { serve } from "../../../scripts/serve-static.ts";

export const test = base.extend<object, { siteOrigin: string }>({
  siteOrigin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here.
    async ({}, use) => {
      const { server, port } = await serve({ dir: "dist", port: 0 });
      await use(`http://127.0.0.1:${port}`);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    { scope: "worker" },
  ],
  baseURL: async ({ siteOrigin }, use) => use(siteOrigin),
});

export { expect } from "@playwright/test";

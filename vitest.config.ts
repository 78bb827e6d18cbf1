import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**"],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take minutes: begun last, they would keep one worker alone. */
const LONG = /(content\/labs|simulation\/simulation|sandbox\/parts)\.test\.ts$/;

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**"],
    testTimeout: 60_000,
    maxWorkers: 2,
    // A worker reads the simulator once for all its files: nothing in it may
    // remember a run, so tests that share it are a check of that, and four
    // times as fast.
    isolate: false,
    sequence: { sequencer: LongOnesFirst },
  },
});

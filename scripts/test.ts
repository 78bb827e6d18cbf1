/**
 * `npm test`: everything that must hold, in order of cost. Prints what each
 * stage found and ends with `N passed, N failed`. A stage without tests of its
 * own (types, lint, build) counts as one.
 *   --only types,unit   runs these stages alone
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const results = join(root, "test-results");

interface UnitReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

interface Count {
  passed: number;
  failed: number;
}

interface Stage {
  name: string;
  says: string;
  command: string[];
  /** Reads the counts that the runner wrote; absent: one test, by exit code. */
  counts?: () => Count;
}

const unitReport = join(results, "unit.json");
const browserReport = join(results, "browser.json");

const stages: Stage[] = [
  {
    name: "types",
    says: "Types of the simulator, scripts and tests",
    command: ["tsc", "--noEmit", "-p", "."],
  },
  { name: "lint", says: "Lint and formatting", command: ["biome", "check", "."] },
  { name: "build", says: "Build of the whole site", command: ["node", "scripts/build.ts"] },
  {
    name: "unit",
    says: "Unit tests, laws, vectors, lessons and content",
    command: [
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${unitReport}`,
    ],
    counts: () => {
      const report = JSON.parse(readFileSync(unitReport, "utf8")) as UnitReport;
      // A file that broke before its first test has failed too.
      const broken = report.testResults.filter(
        ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
      );
      return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
    },
  },
  {
    name: "browser",
    says: "Pages, sandbox and accessibility in a real browser",
    command: ["playwright", "test", "--reporter=list,json"],
    counts: () => {
      const { stats } = JSON.parse(readFileSync(browserReport, "utf8"));
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
    },
  },
];

function run(command: string[]): Promise<number> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program!, args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport, FORCE_COLOR: "0" },
    });
    child.on("error", () => resolve(127));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

function countsOf(stage: Stage, code: number): Count {
  if (!stage.counts) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  try {
    const count = stage.counts();
    // A runner that fails without a failed test (a crash) is a failure too.
    return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function chosenStages(argv: string[]): Stage[] {
  const at = argv.indexOf("--only");
  if (at < 0) return stages;
  const names = (argv[at + 1] ?? "").split(",");
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    console.error(
      `No stage "${unknown.join(", ")}". There are: ${stages.map((s) => s.name).join(", ")}.`,
    );
    process.exit(2);
  }
  return stages.filter((stage) => names.includes(stage.name));
}

const chosen = chosenStages(process.argv.slice(2));
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const total: Count = { passed: 0, failed: 0 };
const lines: string[] = [];
for (const [i, stage] of chosen.entries()) {
  console.log(`\n[${i + 1}/${chosen.length}] ${stage.says} …`);
  const began = Date.now();
  const code = await run(stage.command);
  const count = countsOf(stage, code);
  total.passed += count.passed;
  total.failed += count.failed;
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  lines.push(
    `${stage.name.padEnd(8)} ${String(count.passed).padStart(5)} passed ${String(count.failed).padStart(3)} failed  ${seconds} s`,
  );
}
console.log(`\n${lines.join("\n")}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

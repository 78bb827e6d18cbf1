/** Commands against a small simulated cluster, one after another. */
import { ADMIN, createSession, type Session } from "../../../sim/src/index.ts";
import { runKubectl } from "../../../sim/src/kubectl/kubectl.ts";

export interface Terminal {
  readonly session: Session;
  /** Runs a command; its lines on both outputs, and `[exit n]`. */
  run(line: string, files?: Record<string, string>): Promise<string>;
  pass(ms: number): Promise<void>;
  /** What a person makes of a text that `edit` opens. */
  editor?: (text: string) => string;
}

export async function terminal(): Promise<Terminal> {
  const scenario = { nodes: 3, quietMs: 0, untilMs: Number.POSITIVE_INFINITY };
  const session = createSession({ seed: 5, trace: "off", scenario });
  const { kernel, cluster } = session;
  const pass = async (ms: number) => {
    await kernel.run({ untilMs: kernel.now() + ms });
  };
  await pass(2_000);
  const run = async (line: string, files: Record<string, string> = {}) => {
    const lines: string[] = [];
    const print = (text: string) => lines.push(text);
    let exit: number | undefined;
    kernel.spawn("kubectl", async () => {
      const client = cluster.client("kubectl", ADMIN);
      const { editor } = shell;
      const kinds = cluster.discovered;
      const env = { kernel, client, kinds, files, editor, out: print, err: print };
      exit = await runKubectl(line.split(" "), env);
    });
    await kernel.run({ untilMs: kernel.now() + 120_000, stopWhen: () => exit !== undefined });
    return [...lines, `[exit ${exit}]`].join("\n");
  };
  const shell: Terminal = { session, run, pass };
  return shell;
}

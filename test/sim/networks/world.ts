/** Runs a scenario, and gathers what `connect` printed. */
import { createSession, type Input, type Scenario, type Session } from "@shikumi/sim";

export async function run(
  scenario: Scenario,
  inputs: readonly Input[],
  seed = 3,
): Promise<{ session: Session; lines: string[] }> {
  const lines: string[] = [];
  const session = createSession({
    seed,
    scenario: { nodes: 2, untilMs: 40_000, quietMs: 0, ...scenario },
    inputs,
    onOutput: ({ from, text, isError }) => {
      if (from !== "kubectl") lines.push(text);
      else if (isError && !text.startsWith("Warning: ")) throw new Error(text);
    },
  });
  await session.run();
  return { session, lines };
}

export const pod = (name: string, node: string, app = name) => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${app} } }
spec:
  nodeName: ${node}
  containers: [{ name: c, image: "nginx:1.27", ports: [{ containerPort: 80 }] }]
---
`;

export const service = (name: string, more = "") => `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec:
  selector: { app: ${name} }
  ports: [{ port: 8080, targetPort: 80 }]
${more}---
`;

export const apply = (...manifests: string[]): Input => ({
  ...{ atMs: 100, do: "apply", yaml: manifests.join("") },
});

export const ask = (from: string, to: string, atMs = 30_000): Input => ({
  ...{ atMs, do: "connect", from, to },
});

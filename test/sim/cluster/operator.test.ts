/** The operator of a scenario, and the collector of what it owned. */
import { createSession, type Input, type KubectlInput } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { WEBSITES_CRD, website } from "../../clients/websites.ts";

const kubectl = (atMs: number, line: string): KubectlInput => ({ atMs, do: "kubectl", line });
const count = (what: string) => `get ${what} -o jsonpath={.items[*].metadata.name}`;
const patch = `patch website shop --type=merge -p '{"spec":{"replicas":3}}'`;

/** What kubectl printed, by the second in which it was typed. */
async function said(inputs: readonly Input[], untilMs: number) {
  const texts = new Map<number, string>();
  const session = createSession({
    seed: 7,
    scenario: { nodes: 2, operator: true, quietMs: 0, untilMs },
    inputs: [
      { atMs: 1_000, do: "apply", yaml: WEBSITES_CRD },
      { atMs: 4_000, do: "apply", yaml: website("shop", 2) },
      ...inputs,
    ],
    onOutput: ({ atMs, text }) => texts.set(Math.floor(atMs / 1_000), text),
  });
  await session.run();
  const { kernel } = session;
  const own = [...kernel.trace].filter(({ actor }) => actor === "website-operator");
  return { texts, own };
}

describe("an operator", () => {
  it("keeps what belongs to its objects, whoever changes it and whenever it was stopped", async () => {
    const ready = "get website shop -o jsonpath={.spec.replicas}/{.status.readyReplicas}";
    const wanted = "get deployment shop -o jsonpath={.spec.replicas}";
    const { texts, own } = await said(
      [
        kubectl(12_000, ready),
        kubectl(14_000, "scale deployment shop --replicas=5"),
        kubectl(18_000, wanted),
        kubectl(20_000, "delete deployment shop --wait=false"),
        kubectl(24_000, wanted),
        { atMs: 30_000, do: "stop", actor: "website-operator" },
        kubectl(31_000, patch),
        kubectl(36_000, wanted),
        { atMs: 40_000, do: "start", actor: "website-operator" },
        kubectl(48_000, ready),
      ],
      50_000,
    );
    const at = [12, 18, 24, 36, 48].map((second) => texts.get(second));
    expect(at).toEqual(["2/2", "2", "2", "2", "3/3"]);
    // Before its kind was there it could only wait.
    const errors = own.filter(({ verb, atMs }) => verb === "error" && atMs > 5_000);
    expect(errors).toEqual([]);
  });

  it("owns what it made: with its object it goes", async () => {
    const { texts } = await said(
      [
        kubectl(45_000, "delete website shop --wait=false"),
        kubectl(50_000, count("deployments,services,pods")),
      ],
      52_000,
    );
    expect(texts.get(50)).toBe("kubernetes");
  });

  it("loses it too where the collector hears of the kind only after the deletion", async () => {
    const { texts } = await said(
      [
        kubectl(20_000, "delete website shop --wait=false"),
        kubectl(25_000, count("deployments")),
        kubectl(60_000, "get deployments"),
      ],
      62_000,
    );
    expect(texts.get(25)).toBe("shop");
    expect(texts.get(60)).toBe("No resources found in default namespace.");
  });
});

import { expect, it } from "vitest";
import { messageOf, newServer } from "./server.ts";

it("finalizers of a namespace are Kubernetes' own, or have a domain", () => {
  const { ask } = newServer();
  const about = { resource: "namespaces", namespace: "", name: "n" } as const;
  ask({ ...about, verb: "create", body: { metadata: { name: "n" } } });
  const finalize = (...finalizers: string[]) =>
    ask({
      ...about,
      verb: "update",
      subresource: "finalize",
      body: { metadata: { name: "n" }, spec: { finalizers } },
    });
  expect(messageOf(finalize("kubernetes", "mine"))).toBe(
    'Namespace "n" is invalid: spec.finalizers[1]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  );
  expect(finalize("kubernetes", "e.x/mine").code).toBe(200);
});

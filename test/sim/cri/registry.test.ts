import { describe, expect, it } from "vitest";
import { parseReference } from "../../../sim/src/cri/workload/image.ts";
import { ImageRegistry } from "../../../sim/src/cri/workload/registry.ts";

const find = (registry: ImageRegistry, text: string) => registry.find(parseReference(text)!);

describe("the registry", () => {
  it("keeps versions of one image that do different things", () => {
    const registry = new ImageRegistry([
      { name: "shop", tags: ["1.0"], startMs: 1 },
      { name: "shop", tags: ["1.1", "1.2"], startMs: 2 },
    ]);
    expect(find(registry, "shop:1.0")?.startMs).toBe(1);
    expect(find(registry, "shop:1.2")?.startMs).toBe(2);
    expect(find(registry, "shop:1.3")).toBeUndefined();
  });

  it("replaces what shares a tag, or what has any", () => {
    const registry = new ImageRegistry([
      { name: "shop", tags: ["1.0", "1.1"], startMs: 1 },
      { name: "shop", tags: ["1.1"], startMs: 2 },
    ]);
    expect(find(registry, "shop:1.0")).toBeUndefined();
    expect(find(registry, "shop:1.1")?.startMs).toBe(2);
    registry.define({ name: "shop", startMs: 3 });
    expect(find(registry, "shop:1.1")?.startMs).toBe(3);
    expect(find(registry, "shop:7.0")?.startMs).toBe(3);
  });

  it("takes an image that nobody defined for a plain server, and no unusual tag of one it knows", () => {
    const registry = new ImageRegistry();
    expect(find(registry, "never/heard:of-it")).toBeDefined();
    expect(find(registry, "nginx:1.27")?.ports).toEqual([80]);
    expect(find(registry, "nginx:nope")).toBeUndefined();
  });
});

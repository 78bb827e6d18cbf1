import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actingFrame, framesOf } from "../../src/sandbox/runtime/stack.ts";
import { LineReader } from "../../src/sandbox/runtime/webcontainer/lines.ts";
import { projectFiles, treeOf } from "../../src/sandbox/runtime/webcontainer/project.ts";
import { shorten } from "../../src/sandbox/ui/say.ts";

describe("a hash in a sentence", () => {
  it("is cut in the middle, and a uid or a Pod's name is not", () => {
    const hash = "4a3279cd38e57013fc8879d24faccb51d4ec338aff03d36785195f3af1627f5e";
    expect(shorten(`wrote VolumeAttachment /csi-${hash} once`)).toBe(
      "wrote VolumeAttachment /csi-4a3279cd…7f5e once",
    );
    const name = "pvc-0b2ad2fa-31f1-4b5c-8e26-2a1a2ecd3d1f of web-5d59d67564-abcde";
    expect(shorten(name)).toBe(name);
  });
});

describe("call stacks", () => {
  it("are read in three engines' forms", () => {
    const v8 = `Error: x
    at podsMissing (sim:///controllers/replicaset.ts:7:9)
    at async Worker.reconcile (sim:///controllers/replicaset.ts:11:3)
    at new Kernel (blob:null/1234:1:1)
    at sim:///session.ts:30:5`;
    expect(framesOf(v8)).toEqual([
      { file: "controllers/replicaset.ts", line: 7, column: 9, name: "podsMissing" },
      { file: "controllers/replicaset.ts", line: 11, column: 3, name: "Worker.reconcile" },
      { file: "session.ts", line: 30, column: 5, name: "" },
    ]);
    const others = "podsMissing@sim:///a.ts:7:9\nmodule code@sim:///b.ts:2:1\n@http://x/y.js:1:1";
    expect(framesOf(others).map(({ file, name }) => [file, name])).toEqual([
      ["a.ts", "podsMissing"],
      ["b.ts", "module code"],
    ]);
  });

  it("name the one who acted, not the plumbing", () => {
    const frames = framesOf(
      ["kernel/trace.ts", "apiserver/transport.ts", "client/client.ts", "controllers/job.ts"]
        .map((file) => `    at f (sim:///${file}:1:1)`)
        .join("\n"),
    );
    expect(actingFrame(frames)?.file).toBe("controllers/job.ts");
    expect(actingFrame(frames.slice(0, 3))?.file).toBe("client/client.ts");
    expect(actingFrame(frames.slice(0, 2))?.file).toBe("kernel/trace.ts");
    expect(actingFrame([])).toBeUndefined();
  });
});

describe("a process's output", () => {
  const take = (chunks: readonly string[], lengthMax = 1_000) => {
    const texts: string[] = [];
    const printed: string[] = [];
    const reader = new LineReader("p:", lengthMax, {
      onText: (text) => texts.push(text),
      onPrinted: (text) => printed.push(text),
    });
    for (const chunk of chunks) reader.push(chunk);
    reader.end();
    return { texts, printed };
  };

  it("is taken apart by the prefix; echoes and control sequences go", () => {
    const output = 'p:{"a":1}\r\np:>{"t":"stop"}\n\u001b[31mred\u001b[0m\n\np:{"b":2}\nlast';
    expect(take([output])).toEqual({ texts: ['{"a":1}', '{"b":2}'], printed: ["red", "last"] });
  });

  it("is the same however it is cut into chunks", () => {
    const output = 'p:{"a":1}\nprinted\np:{"b":2}\r\nrest';
    fc.assert(
      fc.property(fc.array(fc.nat(output.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), output.length];
        const chunks = at.slice(1).map((end, i) => output.slice(at[i], end));
        expect(take(chunks)).toEqual(take([output]));
      }),
    );
  });

  it("does not pile up without end", () => {
    const { texts, printed } = take(["p:", "x".repeat(600), "y".repeat(600)]);
    expect(texts).toHaveLength(1);
    expect(printed).toEqual([]);
  });
});

describe("the mounted project", () => {
  it("is a tree of its files", () => {
    const files = { "a.json": "1", "src/b.ts": "2", "src/c/d.ts": "3" };
    expect(treeOf(files)).toEqual({
      "a.json": { file: { contents: "1" } },
      src: {
        directory: {
          "b.ts": { file: { contents: "2" } },
          c: { directory: { "d.ts": { file: { contents: "3" } } } },
        },
      },
    });
  });

  it("has nothing to install", () => {
    const files = projectFiles({
      entry: "index.ts",
      sources: { "index.ts": "" },
      runner: "",
      eraser: "",
    });
    const { dependencies, devDependencies, scripts } = JSON.parse(files["package.json"]!);
    expect(dependencies ?? devDependencies).toBeUndefined();
    expect(scripts.test).toContain("node");
    expect(files["src/index.ts"]).toBe("");
  });
});

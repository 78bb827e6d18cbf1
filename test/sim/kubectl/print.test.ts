/** Alignment and JSONPath: laws and examples. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goSort } from "../../../sim/src/kubectl/print/go-sort.ts";
import { goTemplate } from "../../../sim/src/kubectl/print/go-template.ts";
import { jsonPathPrinter, relaxed } from "../../../sim/src/kubectl/print/jsonpath.ts";
import { align, DESCRIBE_TABS } from "../../../sim/src/kubectl/print/tabs.ts";
import { longTime, parseDuration } from "../../../sim/src/kubectl/time.ts";
import { terminal } from "./support.ts";

describe("align", () => {
  it("ends a column's block where a line has no such cell", () => {
    const text = "a\tb\nlonger\tb\nalone\nx\ty";
    expect(align(text, DESCRIBE_TABS)).toBe("a       b\nlonger  b\nalone\nx  y");
  });

  it("keeps every cell, whatever the text", () => {
    const cell = fc.string({ maxLength: 8 }).filter((text) => !/[\t\n\r]/.test(text));
    const lines = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 });
    fc.assert(
      fc.property(lines, (rows) => {
        const text = rows.map((cells) => cells.join("\t")).join("\n");
        const out = align(text, DESCRIBE_TABS).split("\n");
        return rows.every((cells, i) => cells.every((one) => out[i]!.includes(one)));
      }),
    );
  });
});

/** The template's text for data. */
const jsonPath = (template: string, data: unknown) => jsonPathPrinter(template)(data);

describe("goSort", () => {
  it("sorts, whatever the items", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 300 }), (items) => {
        const sorted = goSort(items, (a, b) => a < b);
        expect(sorted).toEqual([...items].sort((a, b) => a - b));
      }),
    );
  });

  // From Go 1.24: sort.Sort of {i, (i*7)%5} by the second, then the first ones.
  it("leaves equal items in the order that Go leaves them in", () => {
    const items = Array.from({ length: 20 }, (_, i) => ({ i, key: (i * 7) % 5 }));
    const sorted = goSort(items, (a, b) => a.key < b.key).map(({ i }) => i);
    expect(sorted).toEqual([10, 5, 15, 0, 13, 3, 18, 8, 6, 16, 1, 11, 9, 14, 4, 19, 12, 2, 17, 7]);
  });
});

describe("jsonPath", () => {
  const data = {
    items: [
      { name: "a", ready: true, ports: [1, 2], labels: { "x.y/z": "1" } },
      { name: "b", ready: false, ports: [3] },
    ],
  };
  it.each([
    ["{.items[*].name}", "a b"],
    ["{.items[0].ports[-1]}", "2"],
    ["{.items[?(@.ready==true)].name}", "a"],
    ['{range .items[*]}{.name}{"\\t"}{.ports[*]}{"\\n"}{end}', "a\t1 2\nb\t3\n"],
    ["{..name}", "a b"],
    ["{.items[0].labels.x\\.y/z}", "1"],
    ["{.items[0].ports}", "[1,2]"],
    ["names: {.items[:1].name}", "names: a"],
  ])("%s", (template, expected) => expect(jsonPath(template, data)).toBe(expected));

  const rejects = (template: string, why: string) =>
    expect(() => jsonPath(template, data)).toThrow(why);

  it("compares in filters as Go's templates do", () => {
    expect(jsonPath('{.items[?(@.name!="a")].name}', data)).toBe("b");
    expect(jsonPath("{.items[?(@.ports[0]>=3)].name}", data)).toBe("b");
    expect(jsonPath("{.items[?(@.labels)].name}", data)).toBe("a");
    expect(jsonPath("{.items[?(@.none>1)].name}", data)).toBe("");
    rejects("{.items[?(@.name>1)].name}", "incompatible types for comparison");
    rejects("{.items[?(@.labels==1)].name}", "invalid type for comparison");
    rejects("{.items[?(@.ports[*]==1)].name}", "can only compare one element at a time");
    rejects('{.items[?(@.name=~"a")].name}', "unrecognized character in action: U+007E '~'");
    rejects("{.items[0].name[?(@.x)]}", "a is not array or slice and cannot be filtered");
  });

  it("takes slices, unions, keys and what lies deeper", () => {
    expect(jsonPath("{.items[0:2:2].name}", data)).toBe("a");
    expect(jsonPath("{.items[0,1].name}", data)).toBe("a b");
    expect(jsonPath("{.items[0]['name','ready']}", data)).toBe("a true");
    expect(jsonPath("{.items[0].labels['x\\.y/z']}", data)).toBe("1");
    expect(jsonPath("{.items[1].*}", data)).toBe("b [3] false");
    rejects("{.items[2:1].name}", "array index out of bounds: index 2, length 2");
    rejects("{.items[1:0].name}", "starting index 1 is greater than ending index 0");
    rejects("{.items[a]}", "invalid array index a");
    rejects("{.items[0][0]}", "map[string]interface {} is not array or slice");
    rejects("{.a....b}", "invalid multiple recursive descent");
  });

  it("ranges inside ranges; a range must end once", () => {
    const nested = "{range .items[*]}{.name}:{range .ports[*]}{@},{end};{end}";
    expect(jsonPath(nested, data)).toBe("a:1,2,;b:3,;");
    expect(jsonPath("{range .none[*]}{.name}{end}end", data)).toBe("end");
    expect(jsonPath("{range .items[*]}{.name} ", data)).toBe("a b  ");
    rejects("{.items[*].name}{end}", "not in range, nothing to end");
    rejects("{foo}", "unrecognized identifier foo");
  });

  it("prints each part as a list of JSON, and misses fields if told to", () => {
    const json = jsonPathPrinter("{.items[*].name}-", { asJson: true });
    expect(json(data)).toBe('[\n    "a",\n    "b"\n]\n[\n    "-"\n]\n');
    const strict = jsonPathPrinter("{.nope}", { allowMissing: false });
    expect(() => strict(data)).toThrow("nope is not found");
  });

  it("takes a path without braces or without its dot", () => {
    expect(["a.b", ".a.b", "{a.b}", "{.a.b}"].map(relaxed)).toEqual(Array(4).fill("{.a.b}"));
    expect(() => relaxed("{.a")).toThrow("unexpected path string");
  });

  it("shows the object where there are too few items, and wants its braces closed", () => {
    expect(() => jsonPath("{.a[1]}", { a: [{ b: "c" }] })).toThrow(
      'error executing jsonpath "{.a[1]}": Error executing template: array index out of bounds: ' +
        "index 1, length 1. Printing more information for debugging the template:\n" +
        "\ttemplate was:\n\t\t{.a[1]}\n\tobject given to jsonpath engine was:\n" +
        '\t\tmap[string]interface {}{"a":[]interface {}{map[string]interface {}{"b":"c"}}}',
    );
    expect(() => jsonPath("{.a", {})).toThrow("error parsing jsonpath {.a, unclosed action");
  });
});

describe("goTemplate", () => {
  const data = {
    kind: "List",
    items: [
      { name: "a", ports: [1, 2], labels: { x: "1", app: "w" } },
      { name: "b", ports: [], secret: "YWRtaW4=" },
    ],
  };
  it.each([
    ["{{.kind}}", "List"],
    ["{{len .items}}", "2"],
    ['{{range .items}}{{.name}}{{"\\n"}}{{end}}', "a\nb\n"],
    ["{{range $i, $o := .items}}{{$i}}={{$o.name}} {{end}}", "0=a 1=b "],
    ["{{range $k, $v := (index .items 0).labels}}{{$k}}:{{$v}},{{end}}", "app:w,x:1,"],
    ["{{range .none}}x{{else}}nothing{{end}}", "nothing"],
    ['{{if eq .kind "Pod" "List"}}yes{{else}}no{{end}}', "yes"],
    ["{{if .none}}a{{else if .kind}}b{{end}}", "b"],
    ["{{with .kind}}<{{.}}>{{end}}{{$.kind}}", "<List>List"],
    ["{{.none}} {{.none.deeper}}", "<no value> <no value>"],
    ["{{index .items 0 `name`}}", "a"],
    ["{{(index .items 1).secret | base64decode}}", "admin"],
    ['{{printf "%-3s|%03d|%q" "a" 7 .kind}}', 'a  |007|"List"'],
    ["a {{- /* eats */ -}} b", "ab"],
    [
      "{{.items}}",
      "[map[labels:map[app:w x:1] name:a ports:[1 2]] map[name:b ports:[] secret:YWRtaW4=]]",
    ],
    ["{{if and .kind (not .none) (gt (len .items) 1)}}ok{{end}}", "ok"],
  ])("%s", (template, expected) => expect(goTemplate(template, data)).toBe(expected));

  it("says what is wrong with a template", () => {
    const wrong = (template: string) => () => goTemplate(template, data);
    expect(wrong("{{.foo")).toThrow(
      "error parsing template {{.foo, template: output:1: unclosed action",
    );
    expect(wrong("{{nope .x}}")).toThrow('function "nope" not defined');
    expect(wrong("{{if .x}}a")).toThrow("unexpected EOF");
    expect(wrong("{{.kind.x}}")).toThrow("can't evaluate field x in type interface {}");
  });
});

describe("times", () => {
  it("are written as RFC 1123 with a numeric zone", () => {
    expect(longTime("2026-11-30T07:17:06Z")).toBe("Mon, 30 Nov 2026 07:17:06 +0000");
  });

  it("are read as Go reads durations", () => {
    expect(parseDuration("1m30s", "timeout")).toBe(90_000);
    expect(() => parseDuration("15", "timeout")).toThrow("missing unit in duration");
  });
});

describe("what the server does not print", () => {
  it("knows names and ages alone without the server's tables", async () => {
    const shell = await terminal();
    await shell.run("create deployment web --image=nginx:1.27");
    await shell.pass(60_000);
    const table = await shell.run("get deploy --server-print=false -L app");
    expect(table.split("\n")).toEqual(["NAME   AGE   APP", "web    60s   web", "[exit 0]"]);
    expect(await shell.run("get deploy --output-watch-events")).toContain(
      "can only be used with --watch",
    );
  });

  it("shows labels as they would be, and writes none", async () => {
    const shell = await terminal();
    await shell.run("create deployment web --image=nginx:1.27");
    expect(await shell.run("label deploy web --list a=b")).toBe("app=web\na=b\n[exit 0]");
    expect(await shell.run("label deploy web --list")).toBe("app=web\n[exit 0]");
  });

  it("says who one is in any format", async () => {
    const shell = await terminal();
    const name = await shell.run("auth whoami -o jsonpath={.status.userInfo.username}");
    expect(name).toBe("kubernetes-admin\n[exit 0]");
    const json = (await shell.run("auth whoami -o json")).split("\n");
    expect(json.slice(0, 3)).toEqual([
      "{",
      '    "kind": "SelfSubjectReview",',
      '    "apiVersion": "authentication.k8s.io/v1",',
    ]);
    expect(await shell.run("auth whoami -o wide")).toContain("allowed formats are: go-template,");
    expect(await shell.run("describe csr")).toBe(
      "No resources found in default namespace.\n[exit 0]",
    );
    expect(await shell.run("auth whoami -o name")).toContain(
      "selfsubjectreview.authentication.k8s.io/<unknown>",
    );
  });
});

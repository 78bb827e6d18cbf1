/** What every plugin answers to calls that break the specification. */
import { describe, expect, it } from "vitest";
import { loadNetwork } from "../../../sim/src/cni/index.ts";
import { Disk } from "../../../sim/src/kernel/disk.ts";
import { call, complaint, newNode } from "./world.ts";

const node = newNode();

describe("a plugin's environment", () => {
  it("is checked name by name, before standard input is read", () => {
    const env = { CNI_CONTAINERID: "a b", CNI_NETNS: "" };
    expect(call(node, "bridge", "ADD", "{", env)).toEqual({
      ...{ code: 4, msg: "invalid characters in containerID", details: "a b" },
    });
    const bad = [".", "..", "a/b", "a:b", "a b"].map((CNI_IFNAME) =>
      complaint(node, "bridge", "DEL", {}, { CNI_IFNAME }),
    );
    const chars = "interface name contains / or : or whitespace characters";
    const dots = "interface name is . or ..";
    expect(bad).toEqual([dots, dots, chars, chars, chars]);
  });

  it.each(["ADD", "CHECK", "DEL", "GC", "STATUS"])("has CNI_PATH on %s", (command) => {
    expect(call(node, "portmap", command, {}, { CNI_PATH: "" })).toEqual({
      ...{ code: 4, msg: "required env variables [CNI_PATH] missing" },
    });
  });

  it("says what it does not know of a command only after the network", () => {
    const env = { CNI_CONTAINERID: "", CNI_IFNAME: "" };
    expect(complaint(node, "bridge", "FOO", {}, env)).toBe("unknown CNI_COMMAND: FOO");
    expect(complaint(node, "bridge", "FOO", { name: "" }, env)).toBe("missing network name");
  });

  it("has no arguments that a plugin does not know, unless told to ignore them", () => {
    const ipam = { type: "host-local", subnet: "10.9.0.0/24" };
    const add = (CNI_ARGS: string) =>
      complaint(newNode(), "host-local", "ADD", { ipam }, { CNI_ARGS });
    expect(add("A=1;IP=10.9.0.5;B=2")).toBe('ARGS: unknown args ["A=1" "B=2"]');
    expect(add("A=1;IgnoreUnknown=true")).toBe("");
    expect(add("IP")).toBe('ARGS: invalid pair "IP"');
    expect(add("IP=x")).toContain('parsing value of pair "IP=x": invalid IP address x');
    expect(add("IgnoreUnknown=yes;A=1")).toContain("boolean unmarshal error: invalid input yes");
  });
});

describe("a plugin's configuration", () => {
  it("is an object whose name and version are texts", () => {
    const read = (stdin: string) => call(node, "bridge", "ADD", stdin);
    const what = "error unmarshall network config: json: cannot unmarshal";
    expect(read("[]")).toEqual({
      ...{
        code: 6,
        msg: `${what} array into Go value of type struct { Name string "json:\\"name\\"" }`,
      },
    });
    expect(read('{"name":1}').msg).toBe(`${what} number into Go struct field .name of type string`);
    expect(read('{"name":"a/b"}')).toEqual({
      ...{ code: 7, msg: "invalid characters found in network name", details: "a/b" },
    });
    expect(read('{"name":"a","cniVersion":true}')).toEqual({
      code: 6,
      msg: "decoding version from network config: json: cannot unmarshal bool into Go struct field .cniVersion of type string",
    });
  });

  it.each([
    [
      "abc",
      6,
      'failed to convert major version part "abc": strconv.Atoi: parsing "abc": invalid syntax',
    ],
    [
      "1.x",
      6,
      'failed to convert minor version part "x": strconv.Atoi: parsing "x": invalid syntax',
    ],
    ["1.1.0.0", 6, 'invalid version "1.1.0.0": too many parts'],
    ["0.3.1", 1, "config version does not allow CHECK"],
    ["", 1, "config version does not allow CHECK"],
    ["2.0.0", 1, "plugin version does not allow CHECK"],
    ["1.0.1", 1, "incompatible CNI versions"],
  ])("of version %j is answered with code %i on CHECK", (cniVersion, code, msg) => {
    expect(call(node, "loopback", "CHECK", { cniVersion })).toMatchObject({ code, msg });
  });

  it("of a version that is none is but incompatible on ADD", () => {
    expect(call(node, "loopback", "ADD", { cniVersion: "abc" })).toMatchObject({
      ...{ code: 1, msg: "incompatible CNI versions" },
    });
  });
});

describe("a network's file", () => {
  const load = (files: Record<string, string>) => {
    const disk = new Disk();
    for (const [name, text] of Object.entries(files)) disk.write(`/etc/cni/net.d/${name}`, text);
    try {
      return loadNetwork(disk, "/etc/cni/net.d").plugins.map(({ type }) => type);
    } catch (error) {
      return (error as Error).message.replace(/^.*10-a\.\w+: |: invalid cni config.*$/g, "");
    }
  };
  const list = (text: string) => load({ "10-a.conflist": text });
  const what = "error parsing configuration list";

  it.each([
    ["[]", `${what}: json: cannot unmarshal array into Go value of type map[string]interface {}`],
    ["{}", `${what}: no name`],
    ['{"name":{}}', `${what}: invalid name type map[string]interface {}`],
    ['{"name":null}', `${what}: invalid name type <nil>`],
    ['{"name":"a","cniVersion":1}', `${what}: invalid cniVersion type float64`],
    ['{"name":"a","disableCheck":1}', `${what}: invalid type float64 for disableCheck`],
    ['{"name":"a","disableGC":"No"}', `${what}: invalid value "no" for disableGC`],
    ['{"name":"a"}', "no plugin configs found"],
    [
      '{"name":"a","loadOnlyInlinedPlugins":true}',
      `${what}: \`loadOnlyInlinedPlugins\` is true, and no 'plugins' key`,
    ],
    ['{"name":"a","plugins":{}}', `${what}: invalid 'plugins' type map[string]interface {}`],
    ['{"name":"a","plugins":[]}', `${what}: no plugins in list`],
    [
      '{"name":"a","plugins":[{"type":"bridge"},{}]}',
      "failed to parse plugin config 1: error parsing configuration: missing 'type'",
    ],
    [
      '{"name":"a","plugins":[{"type":3}]}',
      "failed to parse plugin config 0: error parsing configuration: json: cannot unmarshal number into Go struct field PluginConf.type of type string",
    ],
  ])("%s is refused", (text, problem) => {
    expect(list(text)).toBe(problem);
  });

  it("may have more plugins in a folder of the network's name", () => {
    const files = { "a/10.conf": '{"type":"portmap"}', "a/20.json": "{" };
    const text = '{"name":"a","plugins":[{"type":"bridge"}]}';
    expect(load({ ...files, "10-a.conflist": text })).toEqual(["bridge", "portmap"]);
    expect(load({ ...files, "10-a.conflist": '{"name":"a"}' })).toEqual(["portmap"]);
    const alone = text.replace("{", '{"loadOnlyInlinedPlugins":"TRUE",');
    expect(load({ ...files, "10-a.conflist": alone })).toEqual(["bridge"]);
  });
});

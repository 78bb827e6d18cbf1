import { describe, expect, it } from "vitest";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import type { ApiServer } from "../../../sim/src/apiserver/server.ts";
import { ADMIN, account, type Bench, configMap, newServer, pod, userOf } from "./server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

interface Init {
  readonly method?: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
}

function send(server: ApiServer, path: string, init: Init = {}, who = ADMIN) {
  const { method = "GET", body, type = "application/json", accept } = init;
  const headers: Record<string, string> = accept ? { accept } : {};
  if (body !== undefined) headers["content-type"] = type;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return handle(server, new Request(`https://x${path}`, { method, headers, body: text }), who);
}

/** Code and message of a refusal; of anything else the code. */
async function said(server: ApiServer, path: string, init: Init = {}, who = ADMIN) {
  const response = await send(server, path, init, who);
  const { kind, message } = await response.json();
  return kind === "Status" && message ? `${response.status} ${message}` : String(response.status);
}

function withMaps(...names: string[]): Bench {
  const bench = newServer();
  for (const name of names) {
    const labels = { odd: String("aceg".includes(name)) };
    bench.ask({
      verb: "create",
      resource: "configmaps",
      body: configMap(name, {}, { labels }),
    });
  }
  return bench;
}

function tokenOf(token: unknown): string {
  return btoa(JSON.stringify(token)).replace(/=+$/, "");
}

describe("the timeout of a request", () => {
  const refused = "400 invalid timeout specified in the request URL - time: ";

  it("is a duration, or is refused before anything else", async () => {
    const { server } = withMaps("a");
    expect(await said(server, `${MAPS}?timeout=invalid`)).toBe(
      `${refused}invalid duration "invalid"`,
    );
    expect(await said(server, `${MAPS}/a?timeout=5`)).toBe(
      `${refused}missing unit in duration "5"`,
    );
    expect(await said(server, `${MAPS}/a?timeout=5%C2%B5x`)).toBe(
      `${refused}unknown unit "\\xc2\\xb5x" in duration "5\\xc2\\xb5x"`,
    );
    expect(await said(server, `${MAPS}?timeout=9999999h`)).toBe(
      `${refused}invalid duration "9999999h"`,
    );
    // Neither who asks nor what for is looked at.
    expect(await said(server, `${MAPS}?timeout=1x`, {}, userOf("nobody"))).toBe(
      `${refused}unknown unit "x" in duration "1x"`,
    );
    for (const path of ["/apis/no/v1/such", "/version", "/healthz", "/no/such"]) {
      const response = await send(server, `${path}?timeout=-`);
      expect(response.status).toBe(400);
      expect((await response.json()).message).toBe(
        'invalid timeout specified in the request URL - time: invalid duration "-"',
      );
      expect(response.headers.has("X-Kubernetes-PF-FlowSchema-UID")).toBe(false);
    }
    const create = { method: "POST", body: configMap("b") };
    expect(await said(server, `${MAPS}?timeout=x`, create)).toContain(refused);
    expect(await said(server, `${MAPS}/b`)).toBe('404 configmaps "b" not found');
  });

  it("may be any duration, and is not looked at where a request runs on", async () => {
    const { server } = withMaps("a");
    for (const text of ["", "0", "-1s", "+1.5h2m", ".5s", "1us", "1ns", "500h"]) {
      const encoded = encodeURIComponent(text);
      expect(await said(server, `${MAPS}/a?timeout=${encoded}`)).toBe("200");
    }
    const watched = await send(server, `${MAPS}?watch=1&timeout=x`);
    expect(watched.status).toBe(200);
    await watched.body?.cancel();
    expect(await said(server, "/api/v1/namespaces/default/pods/a/log?timeout=x")).toBe(
      '404 pods "a" not found',
    );
  });
});

describe("query parameters", () => {
  it("that are to be numbers are refused in Go's words", async () => {
    const { server } = withMaps("a");
    const parse = (value: string, why = "invalid syntax") =>
      `400 strconv.ParseInt: parsing "${value}": ${why}`;
    expect(await said(server, `${MAPS}?limit=x`)).toBe(parse("x"));
    expect(await said(server, `${MAPS}?limit=&limit=5`)).toBe(parse(""));
    expect(await said(server, `${MAPS}?limit=x&timeoutSeconds=1s`)).toBe(parse("1s"));
    expect(await said(server, `${MAPS}?watch=1&timeoutSeconds=x`)).toBe(parse("x"));
    const big = "9223372036854775808";
    expect(await said(server, `${MAPS}?limit=${big}`)).toBe(parse(big, "value out of range"));
    expect(await said(server, `${MAPS}?limit=-1`)).toBe("200");
    // Of a delete only those that it has.
    const remove = { method: "DELETE" };
    expect(await said(server, `${MAPS}/a?gracePeriodSeconds=x`, remove)).toBe(parse("x"));
    expect(await said(server, `${MAPS}?limit=x`, remove)).toBe(parse("x"));
    expect(await said(server, `${MAPS}/a?limit=x`, remove)).toBe("200");
  });

  it("of a log are numbers too", async () => {
    const bench = newServer();
    account(bench);
    bench.ask({ verb: "create", body: pod("p") });
    const log = "/api/v1/namespaces/default/pods/p/log?";
    for (const name of ["sinceSeconds", "tailLines", "limitBytes"]) {
      expect(await said(bench.server, `${log}${name}=x`)).toBe(
        '400 strconv.ParseInt: parsing "x": invalid syntax',
      );
    }
  });

  it("that are flags are true unless they say false or 0", async () => {
    const { server } = withMaps("a");
    for (const value of ["false", "False", "0"]) {
      const answer = await send(server, `${MAPS}?watch=${value}`);
      expect((await answer.json()).kind).toBe("ConfigMapList");
    }
    const answer = await send(server, `${MAPS}?watch=no`);
    expect(answer.body).not.toBeNull();
    await answer.body?.cancel();
  });

  it("are read before they are looked at together", async () => {
    const { server } = withMaps();
    const bad = "resourceVersionMatch=x";
    const path = `${MAPS}?${bad}&fieldSelector=x=y`;
    expect(await said(server, `${path}&labelSelector=a=(`)).toBe(
      "400 unable to parse requirement: found '(', expected: identifier",
    );
    expect(await said(server, path)).toContain(`422 ListOptions.meta.k8s.io "" is invalid: `);
    expect(await said(server, `${MAPS}?fieldSelector=x=y&resourceVersion=z`)).toBe(
      '400 "x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  it("of writes are looked at in upstream's order, and before the body", async () => {
    const { server } = withMaps("a");
    const create = { method: "POST", body: "{" };
    expect(await said(server, `${MAPS}?fieldValidation=y&dryRun=x&fieldManager=%07a`, create)).toBe(
      String.raw`422 CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Invalid value: "\aa": invalid character U+0007 (at position 0), dryRun: Unsupported value: ["x"]: supported values: "All", fieldValidation: Unsupported value: "y": supported values: "", "Ignore", "Strict", "Warn"]`,
    );
    expect(await said(server, `${MAPS}?fieldManager=${"m".repeat(129)}`, create)).toBe(
      '422 CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
    );
    expect(await said(server, `${MAPS}?dryRun=`, create)).toBe(
      '422 CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
    );
    // A create looks at the media type first, an update at the options.
    const text = { body: "{}", type: "text/plain" };
    expect(await said(server, `${MAPS}?dryRun=x`, { method: "POST", ...text })).toMatch(/^415 /);
    expect(await said(server, `${MAPS}/a?dryRun=x`, { method: "PUT", ...text })).toMatch(/^422 /);
    const merge = { method: "PATCH", body: "{}", type: "application/merge-patch+json" };
    expect(await said(server, `${MAPS}/a?force=false`, merge)).toBe(
      '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  });
});

describe("list options", () => {
  const invalid = (text: string) => `422 ListOptions.meta.k8s.io "" is invalid: ${text}`;
  const match = "resourceVersionMatch";

  it("that contradict each other are all named", async () => {
    const { server } = withMaps();
    expect(await said(server, `${MAPS}?${match}=x&sendInitialEvents=true`)).toBe(
      invalid(
        `[${match}: Forbidden: ${match} is forbidden unless resourceVersion is provided, ${match}: Unsupported value: "x": supported values: "Exact", "NotOlderThan", "", sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]`,
      ),
    );
    expect(await said(server, `${MAPS}?${match}=Exact&resourceVersion=0&continue=a`)).toBe(
      invalid(
        `[${match}: Forbidden: ${match} is forbidden when continue is provided, ${match}: Forbidden: ${match} "exact" is forbidden for resourceVersion "0"]`,
      ),
    );
    expect(await said(server, `${MAPS}?watch=1&${match}=Exact&continue=a`)).toBe(
      invalid(
        `[${match}: Forbidden: ${match} is forbidden for watch unless sendInitialEvents is provided, ${match}: Unsupported value: "Exact": supported values: "NotOlderThan", ${match}: Forbidden: ${match} is forbidden when continue is provided]`,
      ),
    );
  });

  it("take a resourceVersion that is a number and was seen", async () => {
    const { server } = withMaps("a");
    const parse = (value: string, why = "invalid syntax") =>
      `resourceVersion: Invalid value: "${value}": strconv.ParseUint: parsing "${value}": ${why}`;
    const list = `${MAPS}?resourceVersion=`;
    expect(await said(server, `${list}-1`)).toBe(`400 invalid resource version: ${parse("-1")}`);
    const big = "18446744073709551616";
    expect(await said(server, list + big)).toBe(
      `400 invalid resource version: ${parse(big, "value out of range")}`,
    );
    // A get and a watch do not say that it is the client's fault.
    expect(await said(server, `${MAPS}/a?resourceVersion=x`)).toBe(`500 ${parse("x")}`);
    expect(await said(server, `${MAPS}?watch=1&resourceVersion=x`)).toBe(`500 ${parse("x")}`);
    const current = server.revision;
    const late = `504 Timeout: Too large resource version: 9999, current: ${current}`;
    expect(await said(server, `${list}9999`)).toBe(late);
    expect(await said(server, `${MAPS}/a?resourceVersion=9999`)).toBe(late);
    expect(await said(server, `${MAPS}/a?resourceVersion=1`)).toBe("200");
  });

  it("select by fields that the kind has, in the kind's own words", async () => {
    const { server } = withMaps();
    const no = "400 field label not supported: metadata.namespace";
    expect(await said(server, "/api/v1/nodes?fieldSelector=metadata.namespace=a")).toBe(no);
    expect(await said(server, "/api/v1/pods?fieldSelector=metadata.namespace=a")).toBe("200");
    const classes = "/apis/storage.k8s.io/v1/storageclasses?fieldSelector=metadata.namespace=a";
    expect(await said(server, classes)).toBe("200");
    const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests?fieldSelector=x=y";
    expect(await said(server, requests)).toBe("400 field label not supported: x");
    const jobs = "/apis/batch/v1/jobs?fieldSelector=x=y";
    expect(await said(server, jobs)).toBe('400 field label "x" not supported for Job');
  });
});

describe("pages", () => {
  const options = { resource: "configmaps" } as const;
  const names = ({ body }: { body: unknown }) =>
    (body as { items: { metadata: { name: string } }[] }).items.map((o) => o.metadata.name);
  const meta = ({ body }: { body: unknown }) =>
    (body as { metadata: { continue?: string; remainingItemCount?: number } }).metadata;

  it("go on where the last one ended, relative to what is listed", () => {
    const { ask, server } = withMaps("a", "b", "c");
    const first = ask({ verb: "list", ...options, options: { limit: 2 } });
    const token = { v: "meta.k8s.io/v1", rv: server.revision, start: "/b\0" };
    expect(meta(first)).toMatchObject({ continue: tokenOf(token), remainingItemCount: 1 });
    const whole = ask({
      verb: "list",
      ...options,
      namespace: undefined,
      options: { limit: 2 },
    });
    expect(meta(whole).continue).toBe(tokenOf({ ...token, start: "/default/b\0" }));
    const next = { limit: 2, continue: meta(first).continue };
    const second = ask({ verb: "list", ...options, options: next });
    expect([names(second), meta(second).continue]).toEqual([["c"], undefined]);
  });

  it("with a selector may be followed by an empty one, and never say how much is left", () => {
    const { ask } = withMaps("a", "b", "c", "d");
    const list = (more: object) =>
      ask({ verb: "list", ...options, options: { labelSelector: "odd=true", limit: 2, ...more } });
    const first = list({});
    expect(names(first)).toEqual(["a", "c"]);
    expect(meta(first).remainingItemCount).toBeUndefined();
    const last = list({ continue: meta(first).continue });
    expect([names(last), meta(last).continue]).toEqual([[], undefined]);
  });

  it("are not made of a list that may be of any age", () => {
    const { ask } = withMaps("a", "b", "c");
    const all = ask({ verb: "list", ...options, options: { limit: 1, resourceVersion: "0" } });
    expect([names(all), meta(all).continue]).toEqual([["a", "b", "c"], undefined]);
  });

  it("need a token that the server wrote", async () => {
    const { server } = withMaps("a");
    const bad = "400 invalid continue token: continue key is not valid";
    const ask = (token: string) => said(server, `${MAPS}?continue=${token}`);
    expect(await ask("!!")).toBe(`${bad}: illegal base64 data at input byte 0`);
    expect(await ask(tokenOf([]))).toBe(
      `${bad}: json: cannot unmarshal array into Go value of type storage.continueToken`,
    );
    expect(await ask(tokenOf({ v: "v2" }))).toBe(
      `${bad}: server does not recognize this encoded version v2`,
    );
    const v = "meta.k8s.io/v1";
    expect(await ask(tokenOf({ v, start: "a" }))).toBe(
      `${bad}: incorrect encoded start resourceVersion (version ${v})`,
    );
    expect(await ask(tokenOf({ v, rv: 5 }))).toBe(`${bad}: encoded start key empty (version ${v})`);
    const climbs = "../secrets/a";
    expect(await ask(tokenOf({ v, rv: 5, start: climbs }))).toBe(`${bad}: ${climbs}`);
    const good = tokenOf({ v, rv: server.revision, start: "a\0" });
    expect(await ask(`${good}&resourceVersion=5`)).toBe(
      "400 specifying resource version is not allowed when using continue",
    );
    expect(await ask(good)).toBe("200");
  });
});

describe("a watch", () => {
  interface Told {
    readonly types: string[];
    end?: { code?: number; message?: string } | null;
  }

  function watch({ server }: Bench, options: object, name?: string): Told {
    const told: Told = { types: [] };
    server.watch(
      {
        verb: "watch",
        group: "",
        version: "v1",
        resource: "configmaps",
        namespace: "default",
        name,
        credentials: ADMIN,
        options,
      },
      {
        onEvent: ({ type, object }) => told.types.push(`${type} ${object.metadata.name}`),
        onEnd: (error) => {
          told.end = error ?? null;
        },
      },
    );
    return told;
  }

  it("from a version that is still to come waits for it", () => {
    const bench = withMaps("a");
    const told = watch(bench, { resourceVersion: String(bench.server.revision + 1) });
    for (const name of ["b", "c"]) {
      bench.ask({ verb: "create", resource: "configmaps", body: configMap(name) });
    }
    expect(told.types).toEqual(["ADDED c"]);
  });

  it("that is to begin with all must know a version that is old enough", () => {
    const bench = withMaps("a");
    const ask = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
    const { types, end } = watch(bench, { ...ask, resourceVersion: "9999" });
    expect(types).toEqual([]);
    const message = `Timeout: Too large resource version: 9999, current: ${bench.server.revision}`;
    expect(end).toMatchObject({ code: 504, message });
  });

  it("ends after its time; none, or 0, is half an hour and more", async () => {
    const bench = withMaps();
    const [zero, ten] = [watch(bench, { timeoutSeconds: 0 }), watch(bench, { timeoutSeconds: 10 })];
    await bench.kernel.run({ untilMs: 60_000 });
    expect([zero.end, ten.end]).toEqual([undefined, null]);
  });

  it("of one name takes no other one's field selector", async () => {
    const { server } = withMaps("a");
    const path = "/api/v1/watch/namespaces/default/configmaps/a?fieldSelector=metadata.name=b";
    expect(await said(server, path)).toBe(
      "400 fieldSelector metadata.name doesn't match requested name",
    );
  });

  it("cannot be told in YAML", async () => {
    const { server } = withMaps();
    const answer = await send(server, `${MAPS}?watch=1`, { accept: "application/yaml" });
    expect(answer.status).toBe(406);
    expect(await answer.text()).toContain(
      "Available representations: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
    );
  });
});

describe("the options of a delete", () => {
  const remove = (body?: unknown) => ({ method: "DELETE", body });

  it("are checked in upstream's order", async () => {
    const { server } = withMaps("a");
    const kind = '422 DeleteOptions.meta.k8s.io "" is invalid: ';
    const policies = '"Foreground", "Background", "Orphan", "nil"';
    expect(await said(server, `${MAPS}/a?propagationPolicy=X&dryRun=y`, remove())).toBe(
      `${kind}[propagationPolicy: Unsupported value: "X": supported values: ${policies}, dryRun: Unsupported value: ["y"]: supported values: "All"]`,
    );
    expect(await said(server, `${MAPS}/a?propagationPolicy=`, remove())).toBe(
      `${kind}propagationPolicy: Unsupported value: "": supported values: ${policies}`,
    );
    const both = { orphanDependents: false, propagationPolicy: "Orphan" };
    expect(await said(server, `${MAPS}/a`, remove(both))).toBe(
      `${kind}propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set`,
    );
  });

  it("are the body's alone if there is one", async () => {
    const { server, ask } = withMaps("a", "b");
    const path = `${MAPS}/a?dryRun=All&propagationPolicy=X&gracePeriodSeconds=x`;
    expect(await said(server, path, remove({}))).toBe("200");
    expect(ask({ verb: "get", resource: "configmaps", name: "a" }).code).toBe(404);
    expect(await said(server, `${MAPS}/b?uid=u`, remove())).toMatch(
      /^409 .* the UID in the precondition \(u\) does not match the UID in record/,
    );
    expect(await said(server, `${MAPS}/b`, remove([]))).toMatch(
      /^500 couldn't get version\/kind; json parse error: json: cannot unmarshal array /,
    );
    expect(await said(server, `${MAPS}/b`, remove({ gracePeriodSeconds: "x" }))).toBe(
      "500 json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
    );
  });

  it("are those of each object where many are deleted", async () => {
    const { server, ask } = withMaps("a", "b", "c");
    const listed = await (await send(server, `${MAPS}?limit=1`, remove())).json();
    expect(listed.items).toHaveLength(1);
    expect(listed.metadata.remainingItemCount).toBe(2);
    const before = server.revision;
    const kept = await (await send(server, MAPS, remove({ propagationPolicy: "Orphan" }))).json();
    expect(kept.metadata.resourceVersion).toBe(String(before));
    const { body } = ask({ verb: "get", resource: "configmaps", name: "b" });
    expect(body.metadata).toMatchObject({ finalizers: ["orphan"] });
  });

  it("in the old form answer that it was accepted", async () => {
    const { server } = withMaps();
    const held = { metadata: { name: "held", finalizers: ["a.b/c"] } };
    await send(server, MAPS, { method: "POST", body: held });
    expect(await said(server, `${MAPS}/held?orphanDependents=false`, remove())).toBe("202");
  });
});

describe("bodies", () => {
  it("of a patch must stay in their namespace", async () => {
    const { server } = withMaps("a");
    const why =
      "400 the namespace of the provided object does not match the namespace sent on the request";
    const body = { metadata: { name: "a", namespace: "z" } };
    const merge = { method: "PATCH", body, type: "application/merge-patch+json" };
    expect(await said(server, `${MAPS}/a`, merge)).toBe(why);
    expect(await said(server, `${MAPS}/a`, { method: "PUT", body })).toBe(why);
  });

  it("of an apply are of the kind that is applied, and of no other object", async () => {
    const { server } = withMaps("a");
    const apply = (body: unknown, name = "a") =>
      said(server, `${MAPS}/${name}?fieldManager=m`, {
        method: "PATCH",
        body,
        type: "application/apply-patch+yaml",
      });
    const kind = { apiVersion: "v1", kind: "ConfigMap" };
    expect(await apply({ ...kind, kind: "Pod" })).toBe("400 invalid object type: /v1, Kind=Pod");
    expect(await apply({ ...kind, apiVersion: "apps/v1" })).toBe(
      "400 invalid object type: apps/v1, Kind=ConfigMap",
    );
    expect(await apply("")).toBe("400 invalid object type: /, Kind=");
    expect(await apply("- a")).toBe(
      "400 error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
    );
    expect(await apply("{apiVersion: v1, kind: ConfigMap}")).toBe("200");
    expect(await apply({ ...kind, metadata: { uid: "u" } }, "new")).toBe(
      '409 Operation cannot be fulfilled on configmaps "new": uid mismatch: the provided object specified uid u, and no existing object was found',
    );
  });
});

describe("the form of an answer", () => {
  const as = (kind: string, more = "") =>
    ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1${more}` }) as const;

  it("is that of the client for errors too", async () => {
    const { server } = withMaps();
    const answer = await send(server, `${MAPS}/nope`, { accept: "application/yaml" });
    expect(answer.headers.get("content-type")).toBe("application/yaml");
    expect(await answer.text()).toContain('message: configmaps "nope" not found');
    const table = await send(server, `${MAPS}/nope`, as("Table"));
    expect([table.status, (await table.json()).kind]).toEqual([404, "Status"]);
  });

  it("is the one that names its type, where two are wanted as much", async () => {
    const { server } = withMaps();
    const answer = await send(server, MAPS, { accept: "*/*, application/yaml" });
    expect(answer.headers.get("content-type")).toBe("application/yaml");
  });

  it("fits what is asked for", async () => {
    const { server } = withMaps("a");
    const need = (one: string, what: string) =>
      `406 you requested ${one}, but the requested object is ${what}`;
    const [one, list] = ["PartialObjectMetadata", "PartialObjectMetadataList"];
    expect(await said(server, MAPS, as(one))).toBe(need(one, "a list (*core.ConfigMapList)"));
    expect(await said(server, `${MAPS}/a`, as(list))).toBe(
      need(list, "not a list (*core.ConfigMap)"),
    );
    expect(await said(server, `${MAPS}?includeObject=x`, as("Table"))).toBe(
      `400 Unable to convert to Table as requested: includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`,
    );
    const made = { method: "POST", body: configMap("b"), ...as("Table") };
    expect((await (await send(server, MAPS, made)).json()).kind).toBe("Table");
  });
});

describe("paths", () => {
  it("below an object have the verbs that they have", async () => {
    const bench = newServer();
    account(bench);
    bench.ask({ verb: "create", body: pod("p") });
    const path = "/api/v1/namespaces/default/pods/p/status";
    const no = "405 the server does not allow this method on the requested resource";
    expect(await said(bench.server, path, { method: "DELETE" })).toBe(no);
    expect(await said(bench.server, path, { method: "POST", body: {} })).toBe(no);
    expect(await said(bench.server, path)).toBe("200");
    expect(await said(bench.server, `${MAPS}/a/status`)).toBe(
      "404 the server could not find the requested resource",
    );
    expect(await said(bench.server, "/version", { method: "POST", body: {} })).toBe(no);
  });

  it("that lead nowhere are refused first to who may not ask", async () => {
    const { server } = withMaps();
    const alice = userOf("alice");
    const path = "/apis/nope/v1/things";
    expect((await send(server, path)).status).toBe(404);
    expect(await said(server, path, {}, alice)).toBe(
      '403 things.nope is forbidden: User "alice" cannot list resource "things" in API group "nope" at the cluster scope',
    );
    expect(await said(server, MAPS, { accept: "text/plain" }, alice)).toMatch(/^403 /);
  });
});

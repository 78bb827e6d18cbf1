/**
 * Replays apiserver-golden.json: recorded requests, in order, against one
 * fresh server over HTTP types; masks of FORMAT.md section 3.
 */
import { newKinds } from "../../sim/src/api/kinds/index.ts";
import { bootstrap } from "../../sim/src/apiserver/bootstrap.ts";
import { handle } from "../../sim/src/apiserver/http/handle.ts";
import { type ApiServer, createApiServer } from "../../sim/src/apiserver/server.ts";
import { Etcd } from "../../sim/src/etcd/index.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import { differences, type GoldenCase, type GoldenRequest, type Setup } from "./golden-compare.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

type Fields = Record<string, unknown>;

interface User {
  name?: string;
  groups?: string[];
}

/** Users by token: the recorded ones, `default` being the administrator. */
function tokensOf(users: Record<string, User>) {
  const known = Object.values(users).filter(({ name }) => name);
  const all = known.length > 0 ? known : [{ name: "admin", groups: ["system:masters"] }];
  return new Map(
    all.map(({ name = "", groups = [] }) => [
      `${name}-token`,
      { name, uid: `uid-${name}`, groups: [...new Set([...groups, "system:authenticated"])] },
    ]),
  );
}

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  const session = new Session(file);
  const setups = (file.json.unrecordedSetup ?? []) as Setup[];
  for (const [i, c] of casesOf<GoldenCase>(file).entries()) {
    for (const setup of setups.filter((one) => one.beforeCaseIndex === i)) {
      await session.prepare(setup);
    }
    const { compaction } = file.json as { compaction?: { beforeCaseIndex: number } | null };
    if (compaction?.beforeCaseIndex === i) session.compact();
    let problems: string[];
    try {
      const answer = await session.send(c.request);
      session.remember(c.case, answer);
      problems = differences(c, answer);
    } catch (error) {
      problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    }
    if (problems.length === 0) tally.pass();
    else tally.miss(c.case, "the recorded answer", problems.join("\n"));
  }
  return tally.result();
}

class Session {
  private readonly kernel = new Kernel({ trace: "off" });
  private readonly etcd = new Etcd({ kernel: this.kernel });
  private readonly server: ApiServer;
  private readonly userAgent: string;
  private readonly answers = new Map<string, unknown>();

  constructor({ json }: VectorFile) {
    const before = (json.before ?? {}) as { serviceClusterIPRange?: string; userAgent?: string };
    this.userAgent = before.userAgent ?? "golden/1.0";
    this.server = createApiServer({
      kernel: this.kernel,
      etcd: this.etcd,
      kinds: newKinds(),
      tokens: tokensOf((json.users ?? {}) as Record<string, User>),
      serviceCidr: before.serviceClusterIPRange ?? "10.96.0.0/16",
    });
    bootstrap(this.server, { securePort: 16443 });
  }

  remember(name: string, { body }: Answer): void {
    this.answers.set(name, parsed(body));
  }

  /** A step between the recorded ones. */
  async prepare(setup: Setup): Promise<void> {
    if (setup.action === "compact") this.compact();
    if (setup.action === "restartServer") this.server.restart();
    if (setup.waitMs) await this.wait(setup.waitMs);
    if (!setup.method || !setup.path) return;
    const request = { ...setup, method: setup.method, path: setup.path };
    if (!setup.untilCode) {
      await this.send(request);
      return;
    }
    for (let i = 0; i < (setup.maxTries ?? 100); i++) {
      if ((await this.send(request)).code === setup.untilCode) return;
      await this.wait(setup.everyMs ?? 100);
    }
  }

  compact(): void {
    this.etcd.compact(this.etcd.revision);
    this.server.restart();
  }

  private async wait(ms: number): Promise<void> {
    await this.kernel.run({ untilMs: this.kernel.now() + ms });
  }

  async send(recorded: GoldenRequest): Promise<Answer> {
    const request = this.substituted(recorded);
    const headers = new Headers({
      "User-Agent": this.userAgent,
      Accept: request.accept ?? "application/json",
      ...request.headers,
    });
    if (request.contentType) headers.set("Content-Type", request.contentType);
    const token = tokenOf(request.user);
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const body = typeof request.body === "string" ? request.body : JSON.stringify(request.body);
    const url = `https://127.0.0.1:6443${request.path}`;
    const asked = new Request(url, { method: request.method, headers, body });
    const response = await handle(this.server, asked);
    const watching = /[?&]watch=(1|true)/.test(request.path) && response.status === 200;
    const seconds = Number(/timeoutSeconds=(\d+)/.exec(request.path)?.[1] ?? 1);
    if (watching) await this.wait(seconds * 1000 + 1);
    return {
      code: response.status,
      contentType: response.headers.get("content-type") ?? "",
      headers: response.headers,
      body: await response.text(),
    };
  }

  /** The request with values of our own answers instead of the recorded. */
  private substituted(recorded: GoldenRequest): GoldenRequest {
    let { path } = recorded;
    const body = structuredClone(recorded.body);
    for (const { at, fromCase, path: from, value } of recorded.substitute ?? []) {
      const own = at_(this.answers.get(fromCase), from.split("."));
      for (const place of at) {
        if (place === "path") {
          const [pathname = "", query] = path.split("?");
          const parts = pathname.split("/").map((part) => (part === value ? String(own) : part));
          path = parts.join("/") + (query ? `?${query}` : "");
        } else if (place.startsWith("query.")) {
          const url = new URL(path, "https://x");
          url.searchParams.set(place.slice("query.".length), String(own));
          path = url.pathname + url.search;
        } else setAt(body, place.slice("body.".length).split("."), own);
      }
    }
    return { ...recorded, path, body };
  }
}

export interface Answer {
  readonly code: number;
  readonly contentType: string;
  readonly headers: Headers;
  readonly body: string;
}

function tokenOf(user: string | undefined): string {
  if (user === undefined) return "admin-token";
  if (user === "anonymous") return "";
  return user === "invalid token" ? "no-such-token" : `${user}-token`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function at_(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const part of path) found = (found as Fields | undefined)?.[part];
  return found;
}

function setAt(target: unknown, path: readonly string[], value: unknown): void {
  const holder = at_(target, path.slice(0, -1)) as Fields | undefined;
  const last = path.at(-1);
  if (holder && last !== undefined) holder[last] = value;
}

/**
 * `ping` and `curl` from anywhere to anywhere: the name is looked up, then a
 * packet goes there over the real state of all machines, and its answer back.
 * Models:     iputils ping, curl; getaddrinfo with a Pod's resolv.conf
 * Leaves out: TCP beyond the first packet and its answer; retransmission.
 */
import type { ApiServer } from "../../apiserver/server.ts";
import type { NodeHost } from "../../cri/node-host.ts";
import type { Kernel } from "../../kernel/index.ts";
import { statusLine } from "../../network/listeners.ts";
import type { MachineNetwork } from "../../network/machines.ts";
import type { Protocol } from "../../network/packet.ts";
import type { ConnectInput } from "../../scenario.ts";
import { Exchanges, type Outcome, type Target } from "./exchange.ts";
import { metIn } from "./met.ts";
import { answer, candidates, outer } from "./names.ts";
import { type Place, Places } from "./places.ts";

/** How a `connect` ended. */
export interface ConnectResult {
  readonly ok: boolean;
  /** As `curl` or `ping` say it. */
  readonly text: string;
  /** Who answered: `pod default/web-0`. */
  readonly server: string;
  /** The client's address as the server saw it. */
  readonly seenAs: string;
}

export interface TrafficOptions {
  readonly kernel: Kernel;
  readonly server: ApiServer;
  readonly hosts: readonly NodeHost[];
  /** What the machines are plugged into. */
  readonly wires: MachineNetwork;
}

/** How long a client waits for an answer, in ms. */
const PATIENCE_MS = 3000;
const DNS = { protocol: "udp", ip: "10.96.0.10", port: 53 } as const;

export class Traffic {
  private readonly options: TrafficOptions;
  private readonly places: Places;
  private readonly exchanges: Exchanges;

  constructor(options: TrafficOptions) {
    const { kernel, hosts, wires } = options;
    this.options = options;
    this.places = new Places(hosts, wires);
    this.exchanges = new Exchanges(kernel, this.places, wires);
  }

  // region: connect
  async connect(input: ConnectInput): Promise<ConnectResult> {
    const from = this.places.find(input.from);
    if (!from) return failed(`${input.from}: no such place, or not ready`);
    const { host, port, path } = parse(input.to);
    const ip = await this.resolve(from, host);
    const usual: Protocol = port === 0 ? "icmp" : "tcp";
    const { protocol = usual } = input;
    const tool = protocol === "icmp" ? "ping" : "curl";
    if (!ip) return failed(NOT_RESOLVED[tool](host));
    const target: Target = { protocol, ip, port, path };
    const atMs = this.options.kernel.now();
    const outcome = await this.exchanges.exchange(from, target);
    const tookMs = this.options.kernel.now() - atMs;
    if (outcome.kind === "lost") await this.options.kernel.sleep(PATIENCE_MS);
    const told = TOLD[tool](host, target, outcome, tookMs);
    const text = input.rules ? [told, ...metIn(outcome.hops)].join("\n") : told;
    const { server, seenAs, kind } = outcome;
    return { ok: kind === "ok", text, server, seenAs };
  }
  // endregion: connect

  /** The address of a name, as the place's own resolver finds it. */
  private async resolve(from: Place, host: string) {
    if (/^[\d.]+$/.test(host)) return host;
    const place = /^(pod|node) /.test(host) || host === "outside";
    const found = place ? this.places.find(host) : undefined;
    if (found) {
      return found.namespace.links.get("eth0")?.addresses[0]?.ip;
    }
    // Machines do not ask the cluster's DNS server.
    if (from.apiNamespace === "") return outer(host)?.[0];
    for (const name of candidates(host, from.apiNamespace)) {
      const { kind, server } = await this.exchanges.exchange(from, DNS);
      // A Pod that listens on the port answers out of the API.
      if (kind !== "ok") return undefined;
      const found = server && answer(this.options.server, name);
      if (found) return found[0];
    }
    return undefined;
  }
}

/** `web:80`, `pod default/web:80/path`, `10.96.0.1`; port 0: a ping. */
function parse(to: string): { host: string; port: number; path: string } {
  const [, host = to, port = "0", path = "/"] =
    /^(.*?)(?::(\d+)(\/\S*)?)?$/.exec(to) ?? [];
  return { host, port: Number(port), path };
}

function failed(text: string): ConnectResult {
  return { ok: false, text, server: "", seenAs: "" };
}

const NOT_RESOLVED = {
  curl: (host: string) => `curl: (6) Could not resolve host: ${host}`,
  ping: (host: string) => `ping: ${host}: Temporary failure in name resolution`,
};

type Tell = (host: string, to: Target, out: Outcome, tookMs: number) => string;

const TOLD: Readonly<Record<"curl" | "ping", Tell>> = {
  curl(host, { port }, { kind, server, seenAs, http }, tookMs) {
    const to = `${host} port ${port} after ${Math.round(tookMs)} ms`;
    if (http) {
      const said = `${server} answers ${statusLine(http)}; it saw ${seenAs}`;
      return `${said}\n${http.body.trimEnd()}`;
    }
    if (kind === "ok") return `${server} answers; it saw ${seenAs}`;
    if (kind === "lost") {
      return `curl: (28) Connection timed out after ${PATIENCE_MS} milliseconds`;
    }
    return `curl: (7) Failed to connect to ${to}: Could not connect to server`;
  },
  ping(_, { ip }, { kind, ttl }, tookMs) {
    if (kind === "ok") {
      return `64 bytes from ${ip}: icmp_seq=1 ttl=${ttl} time=${tookMs.toFixed(3)} ms`;
    }
    if (kind === "unreachable") return "ping: connect: Network is unreachable";
    return "1 packets transmitted, 0 received, 100% packet loss";
  },
};

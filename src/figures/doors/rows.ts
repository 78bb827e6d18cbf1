/**
 * One row for each connection of a run: what was asked, the chains of the nat
 * table that its first packet passed, who answered, and as whom it saw the client.
 */
import type { ConnectResult, TraceEntry } from "@shikumi/sim";

export interface Door {
  readonly from: string;
  readonly to: string;
  /** `NODEPORTS`, `EXT`, `SVC` …, in order: without `KUBE-` and their hashes. */
  readonly chains: readonly string[];
  /** The node whose rules chose; "" if none did. */
  readonly node: string;
  /** `web-1`; "" if nobody answered. */
  readonly server: string;
  readonly seenAs: string;
  /** The Pod saw the address that the client really has. */
  readonly keepsAddress: boolean;
}

interface Hop {
  readonly place: string;
  readonly way: string;
  readonly rules: readonly string[];
  readonly before?: { readonly src: string };
  readonly after?: { readonly src: string };
}

/** A jump from one of kube-proxy's chains that choose to the next, or to the mark for masquerading. */
const JUMP =
  /^-A KUBE-(?:SERVICES|NODEPORTS|EXT-|SVC-|SVL-).* -j KUBE-(NODEPORTS|MARK-MASQ|EXT|SVC|SVL|SEP)(?:-|$)/;

export function doorsOf(entries: readonly TraceEntry[]): Door[] {
  const doors: Door[] = [];
  let hops: Hop[] = [];
  for (const { verb, actor, detail, subject } of entries) {
    const { do: deed } = (detail ?? {}) as { do?: string };
    if (verb === "input" && deed === "connect") hops = [];
    if (verb === "packet") hops.push(detail as Hop);
    if (verb !== "log" || actor !== "network") continue;
    const [from = "", to = ""] = subject.split(": ")[0]!.split(" > ");
    doors.push({ from, to, ...doorOf(from, hops, detail as ConnectResult) });
  }
  return doors;
}

function doorOf(from: string, hops: readonly Hop[], { server, seenAs }: ConnectResult) {
  // A name is looked up first; the last packet that leaves the client is ours.
  const isFirst = ({ place, way, before }: Hop) => place === from && way === "request" && !before;
  const own = hops.slice(hops.findLastIndex(isFirst)).filter(({ way }) => way === "request");
  const chooses = own.find(({ rules }) => rules.some((rule) => JUMP.test(rule)));
  const chains = (chooses?.rules ?? []).flatMap((rule) => JUMP.exec(rule)?.[1] ?? []);
  const source = own[0]?.after?.src.split(":")[0];
  return {
    chains,
    node: chooses?.place.replace(/^node /, "") ?? "",
    server: server.replace(/^pod default\//, ""),
    seenAs,
    keepsAddress: seenAs !== "" && seenAs === source,
  };
}

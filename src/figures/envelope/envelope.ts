/** The headers of one packet on the wire between two nodes, from outside to inside: from the trace of a run. */
import type { PacketDetail, TraceEntry } from "@shikumi/sim";

export interface Envelope {
  readonly outerMac: readonly [from: string, to: string];
  readonly outerIp: readonly [from: string, to: string];
  readonly outerPort: readonly [from: string, to: string];
  readonly vni: number;
  readonly innerMac: readonly [from: string, to: string];
  readonly innerIp: readonly [from: string, to: string];
  readonly innerPort: readonly [from: string, to: string];
  /** Of the whole frame, and of the one inside. */
  readonly bytes: number;
  readonly innerBytes: number;
}

type Packet = NonNullable<PacketDetail["after"]>;

/** The first request that leaves a node wrapped up. */
export function envelopeOf(entries: readonly TraceEntry[], node: string): Envelope {
  const packet = entries
    .filter(({ verb }) => verb === "packet")
    .map(({ detail }) => detail as PacketDetail)
    .find(({ place, after, way }) => place === `node ${node}` && way === "request" && after?.inner);
  const outer = packet?.after;
  if (!outer?.inner) throw new Error(`No packet leaves ${node} in another one.`);
  return {
    outerMac: [outer.srcMac ?? "", outer.dstMac ?? ""],
    ...named("outer", outer),
    vni: vniOf(entries, node),
    innerMac: [outer.inner.srcMac ?? "", outer.inner.dstMac ?? ""],
    ...named("inner", outer.inner),
    bytes: outer.bytes,
    innerBytes: outer.inner.bytes,
  };
}

type Named<K extends string> = Record<`${K}Ip` | `${K}Port`, readonly [string, string]>;

function named<K extends string>(kind: K, { src, dst }: Packet): Named<K> {
  const ends = [src, dst].map((end) => end.split(":"));
  const part = (at: number) => [ends[0]![at] ?? "", ends[1]![at] ?? ""] as const;
  return { [`${kind}Ip`]: part(0), [`${kind}Port`]: part(1) } as Named<K>;
}

/** As flanneld has written it into the Node. */
function vniOf(entries: readonly TraceEntry[], node: string): number {
  for (const { verb, subject, detail } of entries) {
    if (verb !== "write" || subject !== `Node ${node}`) continue;
    const { after } = detail as { after?: { metadata: { annotations?: Record<string, string> } } };
    const data = after?.metadata.annotations?.["flannel.alpha.coreos.com/backend-data"];
    if (data) return (JSON.parse(data) as { VNI: number }).VNI;
  }
  throw new Error(`flanneld has written nothing into ${node}.`);
}

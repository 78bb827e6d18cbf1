/** Replays etcd-mvcc.json: one session against one member, step by step. */
import { Etcd } from "../../sim/src/etcd/etcd.ts";
import type {
  Compare,
  KeyValue,
  KvEvent,
  TxnOp,
  TxnOpResponse,
  WatchResponse,
} from "../../sim/src/etcd/types.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

type Fields = Record<string, unknown>;
interface Step extends Fields {
  op: string;
  in: Fields;
  note?: string;
  error?: string;
}

/** Fields of a step that repeat the request or describe it. */
const NOT_COMPARED = ["in", "note", "op", "key", "value", "at", "asked", "holdout"];

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  const session = new Session();
  for (const [i, step] of casesOf<Step>(file, "steps").entries()) {
    const name = `#${i} ${step.op} ${step.note ?? ""}`.trim();
    const expected = expectedOf(step);
    let actual: unknown;
    try {
      actual = await session.play(step);
    } catch (error) {
      actual = { error: error instanceof Error ? error.message : String(error) };
    }
    tally.sameButEmpty(name, () => comparable(actual), comparable(expected));
  }
  return tally.result();
}

function expectedOf(step: Step): Fields {
  const out = { ...step };
  for (const field of NOT_COMPARED) delete out[field];
  return out;
}

/** Seconds are compared to one second, terms by their order alone. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (key === "afterKeepaliveSeconds") return Math.abs(inner - 2.5) <= 1 ? "about 2.5" : inner;
      if (key === "termBefore" || key === "termAfter") return undefined;
      return inner === 0 || inner === false ? undefined : inner;
    }),
  );
}

class Session {
  private readonly kernel = new Kernel({ trace: "off" });
  private readonly etcd = new Etcd({ kernel: this.kernel });
  private readonly leases = new Map<string, number>();
  private keptAliveAtMs = 0;

  async play(step: Step): Promise<Fields> {
    for (const before of (step.in.before as Fields[] | undefined) ?? []) this.send(before, step);
    if (step.op === "lease expires") return this.awaitExpiry(step.in.watch as Fields);
    return this.send(step.in, step);
  }

  private send(request: Fields, step: Step): Fields {
    const { etcd } = this;
    if (request.range) return this.range(request.range as Fields);
    if (request.put) return this.put(request.put as Fields);
    if (request.deleteRange) return this.delete(request.deleteRange as Fields);
    if (request.txn) return this.txn(request.txn as Fields);
    if (request.watch) return this.watch(request.watch as Fields);
    if (request.compact) {
      return { revision: etcd.compact((request.compact as { revision: number }).revision) };
    }
    if (request.restart) {
      const revisionBefore = etcd.revision;
      etcd.restart();
      return { revisionBefore, revisionAfter: etcd.revision };
    }
    return this.lease(request, step);
  }

  private lease(request: Fields, step: Step): Fields {
    const { etcd } = this;
    if (request.leaseGrant) {
      const { ttl, as } = request.leaseGrant as { ttl: number; as: string };
      const granted = etcd.leaseGrant(ttl);
      this.leases.set(as, granted.id);
      const out: Fields = { ttl: granted.ttl };
      if ("revision" in step) out.revision = granted.revision;
      if ("idNonZero" in step) out.idNonZero = granted.id !== 0;
      return out;
    }
    if (request.leaseRevoke) {
      const revision = etcd.leaseRevoke(this.idOf(request.leaseRevoke));
      return { revision };
    }
    if (request.leaseKeepAlive) {
      const { lease } = request.leaseKeepAlive as Fields;
      const { ttl } = etcd.leaseKeepAlive(this.idOf(lease));
      this.keptAliveAtMs = this.kernel.now();
      return { ttl };
    }
    if (request.leaseTimeToLive) {
      const { lease } = request.leaseTimeToLive as Fields;
      const { granted, keys } = etcd.keyspace.lessor.timeToLive(this.idOf(lease));
      return { granted, keys };
    }
    throw new Error(`unknown request ${JSON.stringify(request)}`);
  }

  private idOf(name: unknown): number {
    return this.leases.get(String(name)) ?? 12345;
  }

  private range(request: Fields): Fields {
    const { kvs, count, more, revision } = this.etcd.range(request as never);
    return { kvs: kvs.map(plain), count, more, revision };
  }

  private put(request: Fields): Fields {
    const value = request.valueBytes ? "x".repeat(request.valueBytes as number) : request.value;
    const lease = request.lease ? this.idOf(request.lease) : 0;
    const { revision, prev } = this.etcd.put({ ...request, value, lease } as never);
    return { revision, prev: prev && plain(prev) };
  }

  private delete(request: Fields): Fields {
    const { revision, deleted, prev } = this.etcd.deleteRange(request as never);
    return { revision, deleted, prev: prev?.map(plain) };
  }

  private txn(request: Fields): Fields {
    const ops = (list: unknown): TxnOp[] => {
      if (Array.isArray(list)) return list;
      const { puts, value } = list as { puts: number; value: string };
      return Array.from({ length: puts }, (_, i) => ({ put: { key: `o${i}`, value } }));
    };
    const { succeeded, revision, responses } = this.etcd.txn({
      compare: request.compare as Compare[],
      // biome-ignore lint/suspicious/noThenProperty: it is the request's field.
      then: ops(request.then),
      else: ops(request.else),
    });
    return { succeeded, revision, responses: responses.map(plainResponse) };
  }

  private watch(request: Fields): Fields {
    const responses: WatchResponse[] = [];
    const watch = this.etcd.watch(this.startOf(request) as never, (r) => responses.push(r));
    watch.cancel();
    return { responses: responses.map((r) => watchAnswer(r, !!request.prevKv)) };
  }

  private startOf(request: Fields): Fields {
    const { startRevision } = request;
    const { revision } = this.etcd;
    if (startRevision === "newest") return { ...request, startRevision: revision };
    if (startRevision === "newest + 1") return { ...request, startRevision: revision + 1 };
    return request;
  }

  private async awaitExpiry(request: Fields): Promise<Fields> {
    const events: Fields[] = [];
    const watch = this.etcd.watch(this.startOf(request) as never, (response) => {
      const afterKeepaliveSeconds = (this.kernel.now() - this.keptAliveAtMs) / 1000;
      for (const { type, kv } of response.events) {
        const { key, modRevision } = kv;
        events.push({ afterKeepaliveSeconds, key, mod_revision: modRevision, type });
      }
    });
    await this.kernel.run({ untilMs: this.kernel.now() + 10_000 });
    watch.cancel();
    return { events };
  }
}

function plain(kv: KeyValue): Fields {
  return {
    key: kv.key,
    value: kv.value,
    create_revision: kv.createRevision,
    mod_revision: kv.modRevision,
    version: kv.version,
    lease: kv.lease !== 0,
  };
}

function plainResponse(response: TxnOpResponse): Fields {
  if (response.range) return { range: response.range.kvs.map(plain) };
  if (response.put) return { put: true };
  return { deleted: response.deleteRange?.deleted };
}

function watchAnswer(response: WatchResponse, withPrev: boolean): Fields {
  const { revision, canceled, compactRevision, error } = response;
  const events = response.events.map((event) => plainEvent(event, withPrev));
  return { revision, canceled, compactRevision, error: error?.message, events };
}

function plainEvent({ type, kv, prev }: KvEvent, withPrev: boolean): Fields {
  const { lease: _, ...fields } = plain(kv);
  return {
    ...fields,
    type,
    isCreate: type === "PUT" && kv.createRevision === kv.modRevision,
    isModify: type === "PUT" && kv.createRevision !== kv.modRevision,
    prev: withPrev ? prev?.value : undefined,
  };
}

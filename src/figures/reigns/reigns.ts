/** Who led when, who was cut off, and what became of the writes: read from the trace of a run. */
import type { TraceEntry } from "@shikumi/sim";

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Reign extends Span {
  readonly term: number;
}

export interface Write extends Span {
  /** The object's name. */
  readonly name: string;
  readonly code: number;
}

export interface Member {
  /** `m1` */
  readonly name: string;
  readonly reigns: readonly Reign[];
  /** Moments at which it asked for votes. */
  readonly asksMs: readonly number[];
  /** While it could not talk to a majority. */
  readonly cuts: readonly Span[];
}

export interface Reigns {
  readonly members: readonly Member[];
  readonly writes: readonly Write[];
}

/** What happened from `fromMs` to `toMs` among the members `etcd/m1` … */
export function reignsOf(
  entries: Iterable<TraceEntry>,
  count: number,
  { fromMs, toMs }: Span,
): Reigns {
  const all = [...entries];
  const inView = (span: Span) => span.toMs > fromMs && span.fromMs < toMs;
  const clip = <T extends Span>(span: T): T => ({
    ...span,
    fromMs: Math.max(span.fromMs, fromMs),
    toMs: Math.min(span.toMs, toMs),
  });
  const names = Array.from({ length: count }, (_, i) => `m${i + 1}`);
  const members = names.map((name): Member => {
    const own = all.filter(({ actor, verb }) => actor === `etcd/${name}` && verb === "raft");
    const asks = own.filter(({ subject }) => subject.startsWith("asks who would vote"));
    return {
      name,
      reigns: reignsIn(own, toMs).filter(inView).map(clip),
      asksMs: asks.map(({ atMs }) => atMs).filter((ms) => ms >= fromMs && ms < toMs),
      cuts: cutsOf(all, `etcd/${name}`, count, toMs).filter(inView).map(clip),
    };
  });
  return { members, writes: writesOf(all, toMs).filter(inView) };
}

function reignsIn(own: readonly TraceEntry[], toMs: number): Reign[] {
  const found: Reign[] = [];
  for (const { atMs, subject } of own) {
    const last = found.at(-1);
    const term = /^becomes leader, term (\d+)$/.exec(subject)?.[1];
    if (term) found.push({ term: Number(term), fromMs: atMs, toMs });
    else if (last && subject.startsWith("steps down")) {
      found[found.length - 1] = { ...last, toMs: Math.min(last.toMs, atMs) };
    }
  }
  return found;
}

function cutsOf(all: readonly TraceEntry[], member: string, count: number, toMs: number): Span[] {
  const lost = new Set<string>();
  const found: Span[] = [];
  let sinceMs: number | undefined;
  for (const { verb, subject, target, atMs } of all) {
    const text = verb === "fault" ? `${subject} ${target}` : "";
    const change = /^(partition|heal) (\S+) (\S+)$/.exec(text);
    if (!change?.slice(2).includes(member)) continue;
    const other = change[2] === member ? change[3]! : change[2]!;
    if (change[1] === "partition") lost.add(other);
    else lost.delete(other);
    const alone = count - lost.size <= count / 2;
    if (alone) sinceMs ??= atMs;
    else if (sinceMs !== undefined) {
      found.push({ fromMs: sinceMs, toMs: atMs });
      sinceMs = undefined;
    }
  }
  if (sinceMs !== undefined) found.push({ fromMs: sinceMs, toMs });
  return found;
}

function writesOf(all: readonly TraceEntry[], toMs: number): Write[] {
  return all.flatMap(({ id, atMs, actor, verb, subject }): Write[] => {
    const name = /^POST configmaps default\/(\S+)$/.exec(subject)?.[1];
    if (verb !== "request" || actor !== "kubectl" || !name) return [];
    const answer = all.find((one) => one.verb === "response" && one.causeId === id);
    const code = (answer?.detail as { code?: number } | undefined)?.code ?? 0;
    return [{ name, code, fromMs: atMs, toMs: answer?.atMs ?? toMs }];
  });
}

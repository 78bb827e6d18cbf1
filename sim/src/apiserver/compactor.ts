/**
 * Every five minutes the API server has etcd forget what is older than the
 * last five: nobody lists or watches from so far back.
 * Models:     apiserver/pkg/storage/etcd3/compact.go @ v1.36
 * Leaves out: that several servers agree who does it; the others fail quietly.
 * Try:        compact after every write, and see how watches that were late
 *             must list anew.
 */
import type { EtcdApi } from "../etcd/index.ts";
import type { Kernel } from "../kernel/index.ts";

const COMPACTION_MS = 5 * 60_000;
/** Ours: a run with very many writes forgets sooner, to spare memory. */
const WRITES_MAX = 100_000;

export class Compactor {
  private readonly kernel: Kernel;
  private readonly etcd: EtcdApi;
  private readonly writesMax: number;
  /** Revision at the last compaction: what the next one keeps. */
  private mark = 0;
  private writes = 0;
  private armed = false;

  constructor(kernel: Kernel, etcd: EtcdApi, writesMax = WRITES_MAX) {
    this.kernel = kernel;
    this.etcd = etcd;
    this.writesMax = writesMax;
  }

  /** To be called at each write; while there is none, there is no timer. */
  touch(): void {
    if (++this.writes >= this.writesMax) this.compact();
    if (this.armed) return;
    this.armed = true;
    const { causeId } = this.kernel;
    this.kernel.causeId = 0;
    this.kernel.after(COMPACTION_MS, () => {
      this.armed = false;
      this.compact();
    });
    this.kernel.causeId = causeId;
  }

  private compact(): void {
    const { mark } = this;
    this.mark = this.etcd.revision;
    this.writes = 0;
    if (mark <= 1) return;
    try {
      const done = this.etcd.compact(mark);
      if (done instanceof Promise) done.catch(() => {});
    } catch {
      // Another server was faster.
    }
  }
}

/**
 * ServiceAccount tokens of the node's Pods: one is asked for when it is first
 * mounted, bound to its Pod, kept, and exchanged for a new one after 80 % of
 * its life.
 * Models:     pkg/kubelet/token/token_manager.go @ v1.36
 * Leaves out: that the Pod sees the new one only at its next sync.
 * Try:        ask for tokens of ten minutes, and count the requests.
 */
import type { Pod } from "../api/kinds/pod.ts";
import { ServiceAccount } from "../api/kinds/serviceaccount.ts";
import type { TokenRequest } from "../api/kinds/types/service.ts";
import type { Client } from "../client/client.ts";
import type { Kernel, Random, Timer } from "../kernel/index.ts";
import { messageOf } from "./runtime/context.ts";

export interface TokenSource {
  readonly audience?: string;
  readonly expirationSeconds?: number;
}

export interface TokensOptions {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly client: Client;
  readonly random: Random;
}

interface Held {
  readonly pod: Pod;
  readonly source: TokenSource;
  token: string;
  refreshAtMs: number;
  endsAtMs: number;
}

const JITTER_MS = 10_000;
const MAX_AGE_MS = 24 * 3_600_000;
/** How often it is asked again for a token that is due. */
const RETRY_MS = 60_000;

export class TokenManager {
  private readonly options: TokensOptions;
  /** By the Pod's uid, then by audience and life. */
  private readonly held = new Map<string, Map<string, Held>>();
  private timer: Timer | undefined;
  private dueAtMs = Number.POSITIVE_INFINITY;

  constructor(options: TokensOptions) {
    this.options = options;
  }

  /** The Pod's token; throws if there is none to be had. */
  async get(pod: Pod, source: TokenSource): Promise<string> {
    const { uid = "" } = pod.metadata;
    const key = `${source.audience ?? ""}/${source.expirationSeconds ?? ""}`;
    const known = this.held.get(uid)?.get(key);
    if (known && known.endsAtMs > this.options.kernel.now()) return known.token;
    const fresh = { pod, source, token: "", refreshAtMs: 0, endsAtMs: 0 };
    try {
      await this.request(fresh);
    } catch (error) {
      throw new Error(`failed to fetch token: ${messageOf(error)}`);
    }
    const own = this.held.get(uid) ?? new Map<string, Held>();
    this.held.set(uid, own.set(key, fresh));
    this.plan(fresh);
    return fresh.token;
  }

  /** The Pod is gone: its tokens end with it. */
  forget(uid: string): void {
    this.held.delete(uid);
  }

  stop(): void {
    this.timer?.cancel();
    this.held.clear();
  }

  private async request(held: Held): Promise<void> {
    const { kernel, client, random } = this.options;
    const { metadata, spec } = held.pod;
    const { namespace = "", name, uid } = metadata;
    const { audience, expirationSeconds = 3600 } = held.source;
    const made = await client.createSub<ServiceAccount, TokenRequest>(
      ServiceAccount,
      namespace,
      spec.serviceAccountName || "default",
      "token",
      {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        metadata: {},
        spec: {
          ...(audience ? { audiences: [audience] } : {}),
          expirationSeconds,
          boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid },
        },
      },
    );
    const { token = "", expirationTimestamp = "" } = made.status ?? {};
    const lifeMs = (made.spec.expirationSeconds ?? expirationSeconds) * 1000;
    held.token = token;
    held.endsAtMs = kernel.msOf(expirationTimestamp);
    const jitterMs = random.between(0, JITTER_MS);
    const begunAtMs = held.endsAtMs - lifeMs;
    const usableMs = Math.min(lifeMs * 0.8, MAX_AGE_MS);
    held.refreshAtMs = begunAtMs + usableMs - jitterMs;
  }

  /** One timer for all: at the moment when the first one is due. */
  private plan({ refreshAtMs }: Held): void {
    if (refreshAtMs >= this.dueAtMs) return;
    const { kernel, actor } = this.options;
    this.timer?.cancel();
    this.dueAtMs = refreshAtMs;
    const delayMs = Math.max(0, refreshAtMs - kernel.now());
    this.timer = kernel.after(delayMs, () => {
      this.dueAtMs = Number.POSITIVE_INFINITY;
      kernel.causeId = 0;
      kernel.spawn(actor, () => this.refresh());
    });
  }

  private async refresh(): Promise<void> {
    const { kernel, actor } = this.options;
    const all = [...this.held.values()].flatMap((own) => [...own.values()]);
    for (const held of all) {
      if (held.refreshAtMs > kernel.now()) continue;
      try {
        await this.request(held);
      } catch (error) {
        // The old one serves until it ends.
        held.refreshAtMs = kernel.now() + RETRY_MS;
        const message = messageOf(error);
        kernel.record(actor, "error", "token", "", { message });
      }
    }
    for (const held of all) {
      if (this.held.has(held.pod.metadata.uid ?? "")) this.plan(held);
    }
  }
}

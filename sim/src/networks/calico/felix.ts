/**
 * Felix: the part of calico-node that writes rules. For each Pod of the node
 * a chain of what it may send and one of what it may get, out of the
 * NetworkPolicies; and the masquerade of what leaves the pool.
 * Models:     projectcalico/calico felix/{rules,dataplane/linux} @ v3.31
 * Leaves out: tiers, host endpoints, eBPF and nftables modes.
 */
import { Namespace } from "../../api/kinds/namespace.ts";
import { NetworkPolicy } from "../../api/kinds/networkpolicy.ts";
import { Pod } from "../../api/kinds/pod.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import type { Timer } from "../../kernel/index.ts";
import type { Machine } from "../machine.ts";
import type { PolicyWorld } from "../policy.ts";
import { hasIpvs, IPVS_CHAINS, ipvsFilter } from "./ipvs-rules.ts";
import { type FelixRules, felixRules, IF_ALLOWED } from "./rules.ts";

/** Changes that come together are written together. */
const SOON_MS = 100;
/** Somebody else may have put rules before ours: looked after, once. */
const CHECK_MS = 2000;
const POSTROUTING = "-j cali-POSTROUTING";

export class Felix {
  private readonly context: ComponentContext;
  private readonly machine: Machine;
  private readonly pool: string;
  private readonly pods: Informer<Pod>;
  private readonly namespaces: Informer<Namespace>;
  private readonly policies: Informer<NetworkPolicy>;
  private timer: Timer | undefined;
  private check: Timer | undefined;
  private written = "";
  private stopped = false;
  private ipvs = false;

  constructor(context: ComponentContext, machine: Machine, pool: string) {
    this.context = context;
    this.machine = machine;
    this.pool = pool;
    this.pods = context.informers.informer(Pod);
    this.namespaces = context.informers.informer(Namespace);
    this.policies = context.informers.informer(NetworkPolicy);
  }

  start(): void {
    const soon = () => this.soon();
    const handlers = { added: soon, updated: soon, deleted: soon };
    this.pods.onChange(handlers);
    this.namespaces.onChange(handlers);
    this.policies.onChange(handlers);
    this.apply();
  }

  /** The rules stay. */
  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
    this.check?.cancel();
  }

  private soon(): void {
    if (this.timer || this.stopped) return;
    this.timer = this.context.kernel.after(SOON_MS, () => {
      this.timer = undefined;
      this.apply();
    });
  }

  // region: apply
  private apply(): void {
    const world: PolicyWorld = {
      pods: this.pods.list(),
      policies: this.policies.list(),
      namespaces: new Map(
        this.namespaces.list().map((one) => [one.metadata.name, one]),
      ),
    };
    const rules = this.rulesFor(world);
    const text = [...rules.filter].flatMap(([chain, lines]) => [
      `:${chain} - [0:0]`,
      ...lines.map((line) => `-A ${chain} ${line}`),
    ]);
    const sets = [...rules.sets].map(([name, ips]) => {
      return `create ${name} ${[...ips].join(" ")}`;
    });
    const all = [...sets, ...text];
    this.install(rules);
    const now = all.join("\n");
    if (now === this.written) return;
    this.written = now;
    const { kernel, actor } = this.context;
    const subject = `${rules.workloads.length} Pods`;
    kernel.record(actor, "program", subject, "", { rules: all });
  }
  // endregion: apply

  private rulesFor(world: PolicyWorld): FelixRules {
    const { name, network } = this.machine;
    const rules = felixRules(name, this.pool, world);
    this.ipvs = hasIpvs(network.root);
    if (!this.ipvs) return rules;
    const more = ipvsFilter(network.root, rules.workloads, IF_ALLOWED);
    const filter = new Map([...rules.filter, ...more.filter]);
    return { ...rules, filter, sets: new Map([...rules.sets, ...more.sets]) };
  }

  private install({ filter, nat, sets }: FelixRules): void {
    const { iptables, ipsets } = this.machine.network.root;
    const tables = [
      ["filter", filter],
      ["nat", nat],
    ] as const;
    for (const [table, wanted] of tables) {
      for (const chain of iptables.chains(table)) {
        const ours = chain.startsWith("cali-") && !wanted.has(chain);
        if (ours) iptables.deleteChain(table, chain);
      }
      for (const [chain, lines] of wanted) {
        iptables.setChain(table, chain, lines);
      }
    }
    for (const [name, ips] of sets) ipsets.set(name, ips);
    this.first();
    this.check?.cancel();
    this.check = this.context.kernel.after(CHECK_MS, () => this.first());
  }

  /** Ours have to be asked before anybody else lets a packet through. */
  private first(): void {
    const { root } = this.machine.network;
    // kube-proxy's ipvs mode has come since: other rules are needed.
    if (hasIpvs(root) !== this.ipvs) return this.apply();
    for (const chain of ["FORWARD", ...(this.ipvs ? IPVS_CHAINS : [])]) {
      this.front(chain, `-j cali-${chain}`);
    }
    root.iptables.ensureRule("nat", "POSTROUTING", POSTROUTING);
  }

  private front(chain: string, rule: string): void {
    const { iptables } = this.machine.network.root;
    if (iptables.chain("filter", chain)?.[0] === rule) return;
    iptables.deleteRule("filter", chain, rule);
    iptables.ensureRule("filter", chain, rule, "insert");
  }
}

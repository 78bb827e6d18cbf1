/**
 * What a runtime does with a network: runs its plugins in order, hands each
 * the result of the one before, and remembers the last result until DEL.
 * Models: containernetworking/cni libcni/api.go
 * Try:    run the plugins of a DEL in the order of the ADD.
 */
import type { NetworkList } from "./conflist.ts";
import { execPlugin, messageOf } from "./exec.ts";
import {
  type CniCommand,
  type CniEnv,
  CniError,
  type CniHost,
  type CniResult,
  type NetConf,
} from "./types.ts";
import { atLeast } from "./version.ts";

/** One attachment of a container to a network. */
export interface RuntimeConf {
  readonly containerId: string;
  /** Path of the namespace; "" if it is gone. */
  readonly netns: string;
  readonly ifname: string;
  /** CNI_ARGS, in order. */
  readonly args: readonly (readonly [string, string])[];
  /** For plugins that declare the capability: portMappings, ips, … */
  readonly capabilityArgs: Readonly<Record<string, unknown>>;
}

/** An attachment that is still wanted, for GC. */
export interface Attachment {
  readonly containerID: string;
  readonly ifname: string;
}

/** What the cache keeps of an ADD until its DEL. */
export interface CachedAttachment {
  readonly kind: "cniCacheV1";
  readonly containerId: string;
  readonly config: NetworkList;
  readonly ifName: string;
  readonly networkName: string;
  readonly netns: string;
  readonly cniArgs: RuntimeConf["args"];
  readonly capabilityArgs?: RuntimeConf["capabilityArgs"];
  readonly result: CniResult;
}

const CACHE = "/var/lib/cni/results";

export class Libcni {
  private readonly host: CniHost;
  /** CNI_PATH. */
  private readonly path: string;

  constructor(host: CniHost, path = "/opt/cni/bin") {
    this.host = host;
    this.path = path;
  }

  /** ADD: throws at the first plugin that fails; the caller then DELs. */
  add(list: NetworkList, rt: RuntimeConf): CniResult {
    let result: CniResult | undefined;
    const env = this.env("ADD", rt);
    for (const conf of list.plugins) {
      try {
        result = this.exec(conf, env, stdinOf(conf, rt, result));
      } catch (error) {
        throw failed(conf, "add", error);
      }
    }
    this.remember(list, rt, result ?? {});
    return result ?? {};
  }

  /** CHECK with the remembered result. */
  check(list: NetworkList, rt: RuntimeConf): void {
    if (!atLeast(list.cniVersion, "0.4.0")) {
      throw new Error(
        `configuration version "${list.cniVersion}" does not support CHECK command`,
      );
    }
    if (list.disableCheck) return;
    const result = this.cached(list, rt)?.result;
    const env = this.env("CHECK", rt);
    for (const conf of list.plugins) {
      this.exec(conf, env, stdinOf(conf, rt, result));
    }
  }

  /** DEL, last plugin first. Doing it twice is no error. */
  del(list: NetworkList, rt: RuntimeConf): void {
    const withResult = atLeast(list.cniVersion, "0.4.0");
    const result = withResult ? this.cached(list, rt)?.result : undefined;
    const env = this.env("DEL", rt);
    for (const conf of list.plugins.toReversed()) {
      try {
        this.exec(conf, env, stdinOf(conf, rt, result));
      } catch (error) {
        throw failed(conf, "delete", error);
      }
    }
    this.host.disk.remove(cachePath(list, rt));
  }

  /** STATUS of every plugin; throws if one cannot take an ADD. */
  status(list: NetworkList): void {
    if (!atLeast(list.cniVersion, "1.1.0")) return;
    const env = this.env("STATUS", NOBODY);
    for (const conf of list.plugins) {
      this.exec(conf, env, stdinOf(conf, NOBODY, undefined));
    }
  }

  /** GC: DEL for all that is remembered but not valid, then GC itself. */
  gc(list: NetworkList, valid: readonly Attachment[]): void {
    if (list.disableGC) return;
    for (const cached of this.attachments(list)) {
      if (valid.some((each) => isOf(each, cached))) continue;
      this.del(cached.config, runtimeConfOf(cached));
    }
    if (!atLeast(list.cniVersion, "1.1.0")) return;
    const attachments = {
      "cni.dev/valid-attachments": valid,
      "cni.dev/attachments": valid,
    };
    const env = this.env("GC", NOBODY);
    for (const conf of list.plugins) {
      const stdin = stdinOf(conf, NOBODY, undefined);
      this.exec(conf, env, { ...stdin, ...attachments });
    }
  }

  /** All attachments to the network that are remembered. */
  attachments(list: NetworkList): CachedAttachment[] {
    const { disk } = this.host;
    const all = disk
      .list(CACHE)
      .map((name) => disk.readJson(`${CACHE}/${name}`));
    const known = all as CachedAttachment[];
    return known.filter((cached) => cached.networkName === list.name);
  }

  private cached(
    list: NetworkList,
    rt: RuntimeConf,
  ): CachedAttachment | undefined {
    const json = this.host.disk.readJson(cachePath(list, rt));
    return json as CachedAttachment | undefined;
  }

  private exec(
    conf: NetConf,
    env: CniEnv,
    stdin: NetConf,
  ): CniResult | undefined {
    return execPlugin(this.host, conf.type ?? "", env, stdin);
  }

  private remember(list: NetworkList, rt: RuntimeConf, result: CniResult) {
    const { containerId, ifname, netns, args, capabilityArgs } = rt;
    const some = Object.keys(capabilityArgs).length > 0;
    const cached: CachedAttachment = {
      kind: "cniCacheV1",
      containerId,
      config: list,
      ifName: ifname,
      networkName: list.name,
      netns,
      cniArgs: args,
      ...(some ? { capabilityArgs } : {}),
      result,
    };
    this.host.disk.write(cachePath(list, rt), cached);
  }

  private env(command: CniCommand, rt: RuntimeConf): CniEnv {
    return {
      CNI_COMMAND: command,
      CNI_CONTAINERID: rt.containerId,
      CNI_NETNS: rt.netns,
      CNI_IFNAME: rt.ifname,
      CNI_ARGS: rt.args.map(([name, value]) => `${name}=${value}`).join(";"),
      CNI_PATH: this.path,
    };
  }
}

const NOBODY: RuntimeConf = {
  containerId: "",
  netns: "",
  ifname: "",
  args: [],
  capabilityArgs: {},
};

/** The plugin's own object, the result before it, and what it asked for. */
function stdinOf(
  conf: NetConf,
  rt: RuntimeConf,
  prevResult: CniResult | undefined,
): NetConf {
  const wanted = Object.entries(rt.capabilityArgs).filter(
    ([name]) => conf.capabilities?.[name],
  );
  if (!prevResult && wanted.length === 0) return conf;
  return {
    ...conf,
    ...(wanted.length > 0 ? { runtimeConfig: Object.fromEntries(wanted) } : {}),
    ...(prevResult ? { prevResult } : {}),
  };
}

function failed(conf: NetConf, what: string, error: unknown): Error {
  const message = `plugin type="${conf.type}" failed (${what}): ${messageOf(error)}`;
  if (!(error instanceof CniError)) return new Error(message);
  return new CniError(error.code, message);
}

function cachePath(list: NetworkList, rt: RuntimeConf): string {
  return `${CACHE}/${list.name}-${rt.containerId}-${rt.ifname}`;
}

function isOf(attachment: Attachment, cached: CachedAttachment): boolean {
  return (
    attachment.containerID === cached.containerId &&
    attachment.ifname === cached.ifName
  );
}

function runtimeConfOf(cached: CachedAttachment): RuntimeConf {
  const { containerId, netns, ifName, cniArgs, capabilityArgs = {} } = cached;
  return { containerId, netns, ifname: ifName, args: cniArgs, capabilityArgs };
}

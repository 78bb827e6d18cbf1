/**
 * What a runtime does with a network: runs its plugins in order, hands each
 * the result of the one before, and remembers the last result until DEL.
 * Models: containernetworking/cni libcni/api.go
 * Try:    run the plugins of a DEL in the order of the ADD.
 */

import {
  type Attachment,
  type CachedAttachment,
  failed,
  isOf,
  NOBODY,
  type RuntimeConf,
  runtimeConfOf,
  stdinOf,
} from "./attachment.ts";
import { execPlugin, messageOf } from "./exec.ts";
import type { NetworkList } from "./network-list.ts";
import type {
  CniCommand,
  CniEnv,
  CniHost,
  CniResult,
  NetConf,
} from "./types.ts";
import { atLeast } from "./version.ts";

export type { Attachment, RuntimeConf } from "./attachment.ts";

const CACHE = "/var/lib/cni/results";

export class Libcni {
  private readonly host: CniHost;
  /** CNI_PATH. */
  private readonly path: string;

  constructor(host: CniHost, path = "/opt/cni/bin") {
    this.host = host;
    this.path = path;
  }

  // region: add
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
  // endregion: add

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

  /**
   * DEL, last plugin first. Doing it twice is no error. Before 0.4.0 nothing
   * is read of what is remembered, and nothing forgotten.
   */
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
    if (result) this.host.disk.remove(cachePath(list, rt));
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
    const errors: string[] = [];
    const attempt = (what: string, act: () => void) => {
      try {
        act();
      } catch (error) {
        errors.push(`failed to ${what}: ${messageOf(error)}`);
      }
    };
    for (const cached of this.attachments(list)) {
      if (valid.some((each) => isOf(each, cached))) continue;
      const rt = runtimeConfOf(cached);
      const what = `delete stale attachment ${rt.containerId} ${rt.ifname}`;
      attempt(what, () => this.del(list, rt));
    }
    const attachments = {
      "cni.dev/valid-attachments": valid,
      "cni.dev/attachments": valid,
    };
    const env = this.env("GC", NOBODY);
    for (const conf of atLeast(list.cniVersion, "1.1.0") ? list.plugins : []) {
      const stdin = { ...stdinOf(conf, NOBODY, undefined), ...attachments };
      attempt(`GC plugin ${conf.type}`, () => this.exec(conf, env, stdin));
    }
    if (errors.length > 0) throw new Error(errors.join("\n"));
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

function cachePath(list: NetworkList, rt: RuntimeConf): string {
  return `${CACHE}/${list.name}-${rt.containerId}-${rt.ifname}`;
}

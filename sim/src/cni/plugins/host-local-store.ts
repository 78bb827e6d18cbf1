/**
 * host-local's memory: one file an address, named like it, that says which
 * container has it; the address given last in a file for each range set.
 * Models:     containernetworking/plugins plugins/ipam/host-local/backend/disk
 * Leaves out: waiting for the lock; plugins of one node run one by one here.
 */
import type { Disk } from "../../kernel/disk.ts";
import { type Ip, parseIp } from "../../network/ip.ts";

const LAST = "last_reserved_ip.";

export class AddressStore {
  private readonly disk: Disk;
  private readonly folder: string;

  constructor(disk: Disk, folder: string) {
    this.disk = disk;
    this.folder = folder;
    if (!disk.exists(`${folder}/lock`)) disk.write(`${folder}/lock`, "");
  }

  /** False if somebody has the address already. */
  reserve(id: string, ifname: string, ip: string, set: number): boolean {
    const path = `${this.folder}/${ip}`;
    if (this.disk.exists(path)) return false;
    this.disk.write(path, `${id}\r\n${ifname}`);
    this.disk.write(`${this.folder}/${LAST}${set}`, ip);
    return true;
  }

  /** Frees all that the container's interface has. */
  release(id: string, ifname: string): void {
    const mine = this.ownedBy(id, ifname);
    const full = `${id}\r\n${ifname}`;
    const named = mine.filter(
      (ip) => this.disk.read(`${this.folder}/${ip}`) === full,
    );
    // Files of old versions hold the container's id alone.
    for (const ip of named.length > 0 ? named : mine) {
      this.disk.remove(`${this.folder}/${ip}`);
    }
  }

  /** Addresses of the container's interface, in the order of their files. */
  ownedBy(id: string, ifname: string): string[] {
    const owner = `${id}\r\n${ifname}`;
    const mine: string[] = [];
    // Not `for … of`: that makes a pair of each of the folder's many files.
    this.disk.entries(this.folder).forEach((content, name) => {
      if (content === owner || content === id) mine.push(name);
    });
    if (mine.length === 0) return mine;
    return mine.filter((name) => !name.startsWith(LAST)).sort();
  }

  lastReserved(set: number): Ip | undefined {
    const text = this.disk.read(`${this.folder}/${LAST}${set}`);
    return text === undefined ? undefined : parseIp(text);
  }
}

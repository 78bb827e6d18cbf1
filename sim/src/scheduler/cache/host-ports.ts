/**
 * Ports of the Node itself that its Pods hold.
 * Models: kube-scheduler/framework/types.go (HostPortInfo) @ v1.36
 */
import type { ContainerPort } from "../../api/kinds/pod.ts";

const ANY_ADDRESS = "0.0.0.0";

export class HostPorts {
  /** `TCP/8080` to the addresses it is held on, each with a count. */
  private held: Map<string, Map<string, number>> | undefined;

  /** Takes a port (`sign` 1) or gives it back (-1). */
  count(port: ContainerPort, sign: 1 | -1): void {
    this.held ??= new Map();
    const key = keyOf(port);
    const addresses = this.held.get(key) ?? new Map<string, number>();
    const address = port.hostIP || ANY_ADDRESS;
    const left = (addresses.get(address) ?? 0) + sign;
    if (left > 0) addresses.set(address, left);
    else addresses.delete(address);
    this.held.set(key, addresses);
  }

  /** Any address clashes with every address; two others if they are equal. */
  conflicts(port: ContainerPort): boolean {
    const addresses = this.held?.get(keyOf(port));
    if (!addresses || addresses.size === 0) return false;
    const address = port.hostIP || ANY_ADDRESS;
    if (address === ANY_ADDRESS || addresses.has(ANY_ADDRESS)) return true;
    return addresses.has(address);
  }
}

function keyOf({ protocol, hostPort }: ContainerPort): string {
  return `${protocol || "TCP"}/${hostPort}`;
}

/**
 * Names of chains: a word and a hash, since the kernel's names are short.
 * Models: pkg/proxy/iptables/proxier.go (portProtoHash …), pkg/proxy/nftables/
 *         proxier.go (hashAndTruncate) @ v1.36
 */
import { sha256 } from "../api/sha2.ts";
import { endpointText, type ServicePort } from "./service-ports.ts";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The first `letters` of the hash in base 32. */
function hashOf(text: string, letters: number): string {
  const bytes = sha256(text);
  let out = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) out += BASE32[(value >> (bits - 5)) & 31];
    if (out.length >= letters) break;
  }
  return out.slice(0, letters);
}

const HASH_LETTERS = 16;

export type IptablesChain = "SVC" | "SVL" | "FW" | "EXT";

/** `KUBE-SVC-CDGGSHYLG3RE2FKL` for a port's name and protocol. */
export function serviceChain(
  kind: IptablesChain,
  portName: string,
  protocol: string,
): string {
  const hash = hashOf(portName + protocol, HASH_LETTERS);
  return `KUBE-${kind}-${hash}`;
}

/** `KUBE-SEP-…`; `endpoint` as `10.244.1.5:8080`. */
export function endpointChain(
  portName: string,
  protocol: string,
  endpoint: string,
): string {
  const text = portName + protocol + endpoint;
  return `KUBE-SEP-${hashOf(text, HASH_LETTERS)}`;
}

/** Chance of a rule with `n` endpoints left, ten digits; a half to even. */
export function probabilityOf(n: number): string {
  const exact = (1 / n).toFixed(60);
  const isTie = /^[02468]50*$/.test(exact.slice(11));
  return isTie ? exact.slice(0, 12) : (1 / n).toFixed(10);
}

const NFT_LETTERS = 8;
const NFT_NAME_MAX = 240;

/** `SUSTUHLJ-default/web/tcp/http`, to stand after `service-` and its kin. */
export function nftServiceName(port: ServicePort): string {
  const { namespace, service, protocol, portName } = port;
  return hashed(`${namespace}/${service}/${protocol}/${portName}`);
}

/** `T6OEKE6Q-default/web/tcp/__10.244.1.5/8080` */
export function nftEndpointName(
  port: ServicePort,
  endpoint: { ip: string; port: number },
): string {
  const { namespace, service, protocol, portName } = port;
  const address = endpointText(endpoint).replace(":", "/");
  return hashed(`${namespace}/${service}/${protocol}/${portName}__${address}`);
}

function hashed(name: string): string {
  const full = `${hashOf(name, NFT_LETTERS)}-${name}`;
  return full.length > NFT_NAME_MAX
    ? `${full.slice(0, NFT_NAME_MAX - 3)}...`
    : full;
}

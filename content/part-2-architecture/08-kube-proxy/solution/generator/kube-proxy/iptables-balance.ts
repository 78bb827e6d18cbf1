/**
 * iptables mode, the choice: rules of a chain KUBE-SVC or KUBE-SVL. They are
 * tried from the top, and the first that matches takes the connection.
 * Models: pkg/proxy/iptables/proxier.go writeServiceToEndpointRules @ v1.36
 * Try:    give every endpoint rule the probability 1/n.
 */
import { named } from "./iptables-external.ts";
import { endpointChain, probabilityOf } from "./names.ts";
import {
  endpointText,
  type ProxyEndpoint,
  type ServicePort,
} from "./service-ports.ts";

// region: balance
/** First those who were here before, then a fair choice among all. */
export function balanceRules(
  { name, protocol, affinitySeconds }: ServicePort,
  endpoints: readonly ProxyEndpoint[],
  comments: boolean,
): string[] {
  const targets = endpoints.map((endpoint) => {
    const text = endpointText(endpoint);
    const comment = comments ? `${named(`${name} -> ${text}`)} ` : "";
    return { comment, chain: endpointChain(name, protocol, text) };
  });
  const known = targets.map(({ comment, chain }) => {
    const seconds = `--seconds ${affinitySeconds}`;
    const recent = `-m recent --name ${chain} --rcheck ${seconds} --reap`;
    return `${comment}${recent} -j ${chain}`;
  });
  const anyone = targets.map(({ comment, chain }, i) => {
    const left = targets.length - i;
    const random = `--mode random --probability ${probabilityOf(left)}`;
    const chance = left > 1 ? `-m statistic ${random} ` : "";
    return `${comment}${chance}-j ${chain}`;
  });
  return affinitySeconds > 0 ? [...known, ...anyone] : anyone;
}
// endregion: balance

/**
 * iptables mode, the choice: rules of a chain KUBE-SVC or KUBE-SVL. They are
 * tried from the top, and the first that matches takes the connection.
 * Models: pkg/proxy/iptables/proxier.go writeServiceToEndpointRules @ v1.36
 */
import { named } from "./iptables-external.ts";
import { endpointChain, probabilityOf } from "./names.ts";
import {
  endpointText,
  type ProxyEndpoint,
  type ServicePort,
} from "./service-ports.ts";

// region: balance
/** Each endpoint may take its share; who was here before may go back. */
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
  const share = probabilityOf(targets.length);
  const anyone = targets.map(({ comment, chain }) => {
    const chance = `-m statistic --mode random --probability ${share} `;
    return `${comment}${chance}-j ${chain}`;
  });
  return affinitySeconds > 0 ? [...anyone, ...known] : anyone;
}
// endregion: balance

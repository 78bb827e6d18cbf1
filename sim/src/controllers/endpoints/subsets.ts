/**
 * The subsets of a Service's Endpoints: ports that the very same addresses
 * serve stand together.
 * Models:     pkg/controller/endpoint/endpoints_controller.go,
 *             pkg/api/v1/endpoints/util.go (RepackSubsets) @ v1.36
 * Leaves out: the order of subsets and ports by their MD5; here it is that of
 *             the Service's ports.
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Service } from "../../api/kinds/service.ts";
import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  ServicePort,
} from "../../api/kinds/types/service.ts";
import { compareText } from "../shared/by-age.ts";
import { isReady } from "../shared/pods.ts";
import { addressesOf, hasEndpoint, targetPortOf } from "../shared/services.ts";

/** Addresses of one Endpoints object at most. */
const ADDRESSES_MAX = 1_000;

interface Offer {
  readonly port: EndpointPort | undefined;
  readonly addresses: EndpointAddress[];
  readonly notReadyAddresses: EndpointAddress[];
}

// region: subsets
export function subsetsOf(
  service: Service,
  pods: readonly Pod[],
): EndpointSubset[] {
  const groups = new Map<string, [Offer, EndpointPort[]]>();
  for (const offer of offersOf(service, pods)) {
    const { addresses, notReadyAddresses } = offer;
    const key = JSON.stringify([addresses, notReadyAddresses]);
    const [, ports] = groups.get(key) ?? [offer, []];
    if (offer.port) ports.push(offer.port);
    groups.set(key, [offer, ports]);
  }
  return [...groups.values()].map(([offer, ports]) => ({
    ...(offer.addresses.length > 0 && { addresses: offer.addresses }),
    ...(offer.notReadyAddresses.length > 0 && {
      notReadyAddresses: offer.notReadyAddresses,
    }),
    ...(ports.length > 0 && { ports }),
  }));
}
// endregion: subsets

/** Each port that some Pod has for the Service, with those that have it. */
function offersOf(service: Service, pods: readonly Pod[]): Iterable<Offer> {
  const offers = new Map<string, Offer>();
  const always = service.spec.publishNotReadyAddresses ?? false;
  const { ports = [], clusterIP } = service.spec;
  const portless = ports.length === 0 && clusterIP === "None";
  const known = pods
    .filter((pod) => hasEndpoint(pod, always))
    .map((pod) => ({ pod, address: addressOf(service, pod) }))
    .toSorted((a, b) => compareText(a.address.ip, b.address.ip));
  const add = (pod: Pod, address: EndpointAddress, port?: EndpointPort) => {
    const key = JSON.stringify(port ?? null);
    const offer = offers.get(key) ?? {
      ...{ port, addresses: [], notReadyAddresses: [] },
    };
    offers.set(key, offer);
    const { addresses, notReadyAddresses } = offer;
    const list = always || isReady(pod) ? addresses : notReadyAddresses;
    list.push(address);
  };
  for (const { pod, address } of known) {
    if (!address.ip) continue;
    if (portless) add(pod, address);
    for (const port of ports) {
      const made = portOf(port, pod);
      if (made) add(pod, address, made);
    }
  }
  return offers.values();
}

function portOf(servicePort: ServicePort, pod: Pod): EndpointPort | undefined {
  const port = targetPortOf(pod, servicePort);
  if (port === undefined) return undefined;
  const { name, protocol = "TCP", appProtocol } = servicePort;
  return {
    ...(name && { name }),
    ...{ port, protocol },
    ...(appProtocol && { appProtocol }),
  };
}

function addressOf(service: Service, pod: Pod): EndpointAddress {
  const { name, namespace, uid } = pod.metadata;
  const { nodeName, hostname, subdomain } = pod.spec;
  const named = hostname && subdomain === service.metadata.name;
  return {
    ip: ipOf(service, pod),
    ...(named && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

/** Of the Service's first family; "" if the Pod has none. */
function ipOf({ spec }: Service, pod: Pod): string {
  const [family = "IPv4"] = spec.ipFamilies ?? [];
  return addressesOf(pod, family)[0] ?? "";
}

// region: truncated
/**
 * Beyond 1,000 the ready addresses come first, and each subset gives up its
 * share of what is too many. Undefined if they are not too many.
 */
export function truncated(
  subsets: readonly EndpointSubset[],
): EndpointSubset[] | undefined {
  const total = (list: "addresses" | "notReadyAddresses") =>
    subsets.reduce((sum, subset) => sum + (subset[list]?.length ?? 0), 0);
  const [ready, notReady] = [total("addresses"), total("notReadyAddresses")];
  if (ready + notReady <= ADDRESSES_MAX) return undefined;
  const cutsReady = ready > ADDRESSES_MAX;
  const max = cutsReady ? ADDRESSES_MAX : ADDRESSES_MAX - ready;
  const all = cutsReady ? ready : notReady;
  let left = max;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports }) => {
    const list = cutsReady ? addresses : notReadyAddresses;
    const share = Math.ceil((list.length / all) * max);
    const kept = list.slice(0, Math.min(share, left));
    left -= kept.length;
    return cutsReady
      ? { addresses: kept, ports }
      : { addresses, notReadyAddresses: kept, ports };
  });
}
// endregion: truncated

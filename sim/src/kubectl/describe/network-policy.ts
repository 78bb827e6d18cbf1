/**
 * kubectl describe networkpolicy.
 * Models:     kubectl/pkg/describe/describe.go (NetworkPolicyDescriber) @ v1.36
 */
import { list, obj, str, strings } from "../../api/kinds/access.ts";
import { selectorText } from "../../api/kinds/cells.ts";
import type { JsonObject } from "../../api/types.ts";
import { utcTime } from "../time.ts";
import { type Describer, writeLabelsOf, writeName } from "./subject.ts";
import type { Writer } from "./writer.ts";

/** The words of one direction. */
interface Direction {
  readonly type: string;
  readonly side: "From" | "To";
  readonly end: string;
}

const INGRESS: Direction = { type: "Ingress", side: "From", end: "source" };
const EGRESS: Direction = { type: "Egress", side: "To", end: "destination" };

export const describeNetworkPolicy: Describer = async (subject) => {
  const { w, object, spec } = subject;
  writeName(subject);
  w.field(0, "Created on", utcTime(object.metadata.creationTimestamp));
  writeLabelsOf(subject);
  w.line(0, "Spec:");
  const pods = selectorText(spec.podSelector);
  const all = " (Allowing the specific traffic to all pods in this namespace)";
  w.line(1, `PodSelector:     ${pods}${pods === "<none>" ? all : ""}`);
  const types = strings(spec.policyTypes);
  for (const direction of [INGRESS, EGRESS]) {
    const word = direction.type.toLowerCase();
    if (types.includes(direction.type)) {
      w.line(1, `Allowing ${word} traffic:`);
      writeRules(w, list(spec[word]), direction);
    } else w.line(1, `Not affecting ${word} traffic`);
  }
  w.line(1, `Policy Types: ${types.join(", ") || "<none>"}`);
};

function writeRules(
  w: Writer,
  rules: readonly JsonObject[],
  { type, side, end }: Direction,
): void {
  if (rules.length === 0) {
    const word = type.toLowerCase();
    w.line(2, `<none> (Selected pods are isolated for ${word} connectivity)`);
  }
  for (const [i, rule] of rules.entries()) {
    if (i > 0) w.line(2, "----------");
    for (const text of portTexts(rule)) w.line(2, text);
    const peers = list(rule[side.toLowerCase()]);
    if (peers.length === 0)
      w.line(2, `${side}: <any> (traffic not restricted by ${end})`);
    for (const peer of peers) {
      w.line(2, `${side}:`);
      writePeer(w, peer);
    }
  }
}

function portTexts(rule: JsonObject): string[] {
  const ports = list(rule.ports);
  if (ports.length === 0)
    return ["To Port: <any> (traffic allowed to all ports)"];
  return ports.map(({ port, endPort, protocol = "TCP" }) =>
    endPort
      ? `To Port Range: ${port}-${endPort}/${protocol}`
      : `To Port: ${port ?? "<nil>"}/${protocol}`,
  );
}

function writePeer(w: Writer, peer: JsonObject): void {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  if (namespaceSelector)
    w.line(3, `NamespaceSelector: ${selectorText(namespaceSelector)}`);
  if (podSelector) w.line(3, `PodSelector: ${selectorText(podSelector)}`);
  if (namespaceSelector || podSelector || !ipBlock) return;
  const { cidr, except } = obj(ipBlock);
  w.line(3, "IPBlock:");
  w.line(4, `CIDR: ${str(cidr)}`);
  w.line(4, `Except: ${strings(except).join(", ")}`);
}

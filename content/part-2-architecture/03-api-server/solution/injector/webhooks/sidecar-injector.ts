/**
 * A mutating webhook that gives Pods a second container, as a service mesh
 * does. It is no part of Kubernetes: the API server asks it about a Pod that
 * is to be made, and it answers with a JSON patch.
 * Models:     what Istio and Linkerd run for this, in its simplest form.
 * Leaves out: TLS; reading the Pod from JSON. `allowed: false` would refuse.
 * Try:        allow the Pod and patch nothing; or wait ten seconds.
 */
import type {
  AdmissionRequest,
  AdmissionResponse,
} from "../api/admission-review.ts";
import type { Pod } from "../api/kinds/types/pod.ts";

const SIDECAR = { name: "proxy", image: "envoy:1.34" };
const INJECT = "mesh.example.com/inject";

export async function review(
  request: AdmissionRequest,
): Promise<AdmissionResponse> {
  const pod = request.object as Pod;
  if (!wantsSidecar(request, pod)) return { allowed: true };
  return {
    allowed: true,
    patchType: "JSONPatch",
    patch: [{ op: "add", path: "/spec/containers/-", value: SIDECAR }],
  };
}

// region: wants
/** A webhook may be asked about one object more than once. */
function wantsSidecar({ namespace }: AdmissionRequest, pod: Pod): boolean {
  if (namespace === "kube-system") return false;
  if (pod.metadata.annotations?.[INJECT] === "false") return false;
  return pod.spec.containers.every(({ name }) => name !== SIDECAR.name);
}
// endregion: wants

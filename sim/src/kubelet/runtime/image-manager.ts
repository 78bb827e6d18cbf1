/**
 * Makes sure that the image is there: by policy, one pull after another, with
 * back-off after failures.
 * Models:     pkg/kubelet/images/{image_manager,puller}.go @ v1.36
 * Leaves out: registryPullQPS; parallel pulls; the record of who may use what.
 * Try:        let pulls run side by side.
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { KeyedBackoff } from "./backoff.ts";
import {
  containerEvent,
  KubeletError,
  messageOf,
  type RuntimeContext,
} from "./context.ts";
import { goDuration } from "./go-duration.ts";

const BACKOFF_MS = 10_000;
const BACKOFF_MAX_MS = 300_000;

export class ImageManager {
  private readonly backoff = new KeyedBackoff(BACKOFF_MS, BACKOFF_MAX_MS);
  /** Why the last pull failed, by key of the back-off. */
  private readonly lastErrors = new Map<string, string>();
  private pulling = false;
  private readonly queue: (() => void)[] = [];

  /** Throws KubeletError with the reason for the container's status. */
  async ensure(
    context: RuntimeContext,
    pod: Pod,
    container: Container,
  ): Promise<void> {
    const image = withTag(container.image ?? "");
    if (!image) {
      const message = `Failed to apply default image tag "${container.image}": couldn't parse image name "${container.image}": invalid reference format`;
      containerEvent(
        context,
        pod,
        container,
        "Warning",
        "InspectFailed",
        message,
      );
      throw new KubeletError("InvalidImageName", message);
    }
    const present = await this.present(context, image);
    if (present && !pullsAlways(container)) {
      const message = `Container image "${image}" already present on machine and can be accessed by the pod`;
      containerEvent(context, pod, container, "Normal", "Pulled", message);
      return;
    }
    if (container.imagePullPolicy === "Never") {
      const message = `Container image "${image}" is not present with pull policy of Never`;
      containerEvent(
        context,
        pod,
        container,
        "Warning",
        "ErrImageNeverPull",
        message,
      );
      throw new KubeletError("ErrImageNeverPull", message);
    }
    await this.pull(context, pod, container, image);
  }

  /** The Pod is gone: so are its waits. */
  forget(uid: string): void {
    this.backoff.forget(`${uid}_`);
    for (const key of this.lastErrors.keys()) {
      if (key.startsWith(`${uid}_`)) this.lastErrors.delete(key);
    }
  }

  private async present(context: RuntimeContext, image: string) {
    const answer = await context.runtime.imageStatus({ image: { image } });
    return answer.image !== undefined;
  }

  private async pull(
    context: RuntimeContext,
    pod: Pod,
    container: Container,
    image: string,
  ): Promise<void> {
    const { kernel } = context;
    const key = `${pod.metadata.uid}_${image}`;
    if (this.backoff.waitsSinceUpdate(key, kernel.now())) {
      const message = `Back-off pulling image "${image}"`;
      containerEvent(context, pod, container, "Normal", "BackOff", message);
      const last = this.lastErrors.get(key);
      const full = last ? `${message}: ErrImagePull: ${last}` : message;
      throw new KubeletError(
        "ImagePullBackOff",
        full,
        this.backoff.endsAtMs(key),
      );
    }
    const begun = `Pulling image "${image}"`;
    containerEvent(context, pod, container, "Normal", "Pulling", begun);
    const askedAtMs = kernel.now();
    await this.turn(context);
    const startedAtMs = kernel.now();
    try {
      await context.runtime.pullImage({ image: { image } });
    } catch (error) {
      this.failed(context, pod, container, image, error);
    } finally {
      this.pulling = false;
      this.queue.shift()?.();
    }
    const now = kernel.now();
    const took = goDuration(now - startedAtMs);
    const waited = goDuration(now - askedAtMs);
    const { image: pulled } = await context.runtime.imageStatus({
      image: { image },
    });
    const message = `Successfully pulled image "${image}" in ${took} (${waited} including waiting). Image size: ${pulled?.size ?? 0} bytes.`;
    containerEvent(context, pod, container, "Normal", "Pulled", message);
  }

  private failed(
    context: RuntimeContext,
    pod: Pod,
    container: Container,
    image: string,
    error: unknown,
  ): never {
    const key = `${pod.metadata.uid}_${image}`;
    const now = context.kernel.now();
    const message = messageOf(error);
    const text = `Failed to pull image "${image}": ${message}`;
    containerEvent(context, pod, container, "Warning", "Failed", text);
    this.backoff.next(key, now, now);
    this.lastErrors.set(key, message);
    throw new KubeletError("ErrImagePull", message, this.backoff.endsAtMs(key));
  }

  /** Pulls of a node run one by one. */
  private turn({ kernel }: RuntimeContext): Promise<void> | undefined {
    if (!this.pulling) {
      this.pulling = true;
      return undefined;
    }
    return kernel.wait((resolve) => {
      this.queue.push(() => {
        this.pulling = true;
        resolve();
      });
    });
  }
}

/** Without a policy the API server has set one; this is for static Pods. */
function pullsAlways({ imagePullPolicy, image = "" }: Container): boolean {
  if (imagePullPolicy) return imagePullPolicy === "Always";
  return /:latest$/.test(withTag(image));
}

/** `nginx` → `nginx:latest`; "" if it is not a reference. */
function withTag(image: string): string {
  if (image.includes("@")) return image;
  const name = /^[a-z0-9][\w./-]*(:\d+\/[\w./-]+)?(:[\w.-]+)?$/;
  if (!name.test(image)) return "";
  const last = image.slice(image.lastIndexOf("/") + 1);
  return last.includes(":") ? image : `${image}:latest`;
}

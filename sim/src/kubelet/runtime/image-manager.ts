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
import { withDefaultTag } from "./image-name.ts";

const BACKOFF_MS = 10_000;
const BACKOFF_MAX_MS = 300_000;
const RUNTIME_ERRORS: Readonly<Record<string, string>> = {
  RegistryUnavailable: "the registry is unavailable",
  SignatureValidationFailed: "the signature validation failed",
};

export class ImageManager {
  private readonly backoff = new KeyedBackoff(BACKOFF_MS, BACKOFF_MAX_MS);
  /** Reason and text of the last failure, by key of the back-off. */
  private readonly lastErrors = new Map<string, string>();
  private pulling = false;
  private readonly queue: (() => void)[] = [];

  /** Throws KubeletError with the reason for the container's status. */
  async ensure(
    context: RuntimeContext,
    pod: Pod,
    container: Container,
  ): Promise<void> {
    const { image: asked = "", imagePullPolicy } = container;
    const refuse = (event: string, reason: string, message: string) => {
      containerEvent(context, pod, container, "Warning", event, message);
      return new KubeletError(reason, message);
    };
    let image: string;
    try {
      image = withDefaultTag(asked);
    } catch (error) {
      const message = `Failed to apply default image tag "${asked}": ${messageOf(error)}`;
      throw refuse("InspectFailed", "InvalidImageName", message);
    }
    let present: boolean;
    try {
      present = await this.present(context, image);
    } catch (error) {
      const message = `Failed to inspect image "${asked}": ${messageOf(error)}`;
      throw refuse("InspectFailed", "ImageInspectError", message);
    }
    // Events name the image as the container does: the tag is not added.
    if (present && !pullsAlways(imagePullPolicy, image)) {
      const message = `Container image "${asked}" already present on machine and can be accessed by the pod`;
      containerEvent(context, pod, container, "Normal", "Pulled", message);
      return;
    }
    if (imagePullPolicy === "Never") {
      const message = `Container image "${asked}" is not present with pull policy of Never`;
      throw refuse("ErrImageNeverPull", "ErrImageNeverPull", message);
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
    const { image: asked = "" } = container;
    const key = `${pod.metadata.uid}_${asked}`;
    if (this.backoff.waitsSinceUpdate(key, kernel.now())) {
      const message = `Back-off pulling image "${asked}"`;
      containerEvent(context, pod, container, "Normal", "BackOff", message);
      const last = this.lastErrors.get(key);
      const full = last ? `${message}: ${last}` : message;
      throw new KubeletError("ImagePullBackOff", full);
    }
    const begun = `Pulling image "${asked}"`;
    containerEvent(context, pod, container, "Normal", "Pulling", begun);
    const askedAtMs = kernel.now();
    await this.turn(context);
    const startedAtMs = kernel.now();
    try {
      await context.runtime.pullImage({ image: { image } });
    } catch (error) {
      this.failed(context, pod, container, error);
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
    const message = `Successfully pulled image "${asked}" in ${took} (${waited} including waiting). Image size: ${pulled?.size ?? 0} bytes.`;
    containerEvent(context, pod, container, "Normal", "Pulled", message);
  }

  private failed(
    context: RuntimeContext,
    pod: Pod,
    container: Container,
    error: unknown,
  ): never {
    const { image = "" } = container;
    const key = `${pod.metadata.uid}_${image}`;
    const now = context.kernel.now();
    const said = pullText(error);
    const text = `Failed to pull image "${image}": ${said}`;
    containerEvent(context, pod, container, "Warning", "Failed", text);
    this.backoff.next(key, now, now);
    const [reason, message] = pullReason(image, said);
    this.lastErrors.set(key, `${reason}: ${message}`);
    // The next sync comes before the wait is over, and says that it waits.
    throw new KubeletError(reason, message);
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
function pullsAlways(policy: string | undefined, image: string): boolean {
  return policy ? policy === "Always" : image.endsWith(":latest");
}

/** A code that says nothing makes the text no better. */
function pullText(error: unknown): string {
  return messageOf(error).replace(/^rpc error: code = Unknown desc = /, "");
}

/** Runtimes begin some errors with a word of their own. */
function pullReason(image: string, message: string): [string, string] {
  for (const [word, why] of Object.entries(RUNTIME_ERRORS)) {
    if (!message.startsWith(word)) continue;
    const rest = message.slice(word.length);
    return [word, `image pull failed for ${image} because ${why}${rest}`];
  }
  return ["ErrImagePull", message];
}

/**
 * kubectl create deployment, job, cronjob.
 * Models:     kubectl/pkg/cmd/create/create_{deployment,job,cronjob}.go @ v1.36
 */
import { at } from "../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { flags } from "../args.ts";
import { CommandError } from "../environment.ts";
import { type Generator, imageName, made, required } from "./generator.ts";

/** As Go writes a container that has no resources. */
const NO_RESOURCES = { resources: {} };

export const createDeployment: Generator = {
  flags: flags("image:value replicas:value,r port:value"),
  needs: ["image"],
  failure: "failed to create deployment: ",
  make(name, args) {
    const labels = { app: name };
    const port = args.int("port");
    const images = args.list("image").filter(Boolean);
    if (images.length > 1 && args.rest.length > 0) {
      throw new CommandError(
        "cannot specify multiple --image options and command",
      );
    }
    const containers = images.map((image) => ({
      name: imageName(image),
      image,
      ...(args.rest.length > 0 ? { command: args.rest } : {}),
      ...NO_RESOURCES,
      ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    }));
    const spec = {
      replicas: args.int("replicas") ?? 1,
      selector: { matchLabels: labels },
      strategy: {},
      template: { metadata: { labels }, spec: { containers } },
    };
    return made("apps/v1", "Deployment", name, { spec, status: {} }, labels);
  },
};

export const createJob: Generator = {
  flags: flags("image:value from:value"),
  failure: "failed to create job: ",
  make(name, args) {
    const image = args.get("image");
    if (!image) {
      throw new CommandError("either --image or --from must be specified");
    }
    const template = podTemplate(name, image, args.rest, "Never");
    return made("batch/v1", "Job", name, { spec: { template }, status: {} });
  },
};

function podTemplate(
  name: string,
  image: string,
  command: readonly string[],
  restartPolicy: string,
): JsonObject {
  const run = command.length > 0 ? { command } : {};
  const container = { name, image, ...run, ...NO_RESOURCES };
  return { metadata: {}, spec: { containers: [container], restartPolicy } };
}

/** Of a CronJob that is there, as `--from=cronjob/name` asks. */
export function jobFromCronJob(name: string, cronJob: JsonObject) {
  const { metadata, spec } = cronJob;
  const template = at(spec, "jobTemplate");
  const annotations = {
    "cronjob.kubernetes.io/instantiate": "manual",
    ...(at(template, "metadata", "annotations") as JsonObject | undefined),
  };
  const owner = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    name: at(metadata, "name"),
    uid: at(metadata, "uid"),
    controller: true,
  };
  const labels: Json = at(template, "metadata", "labels");
  const fields = { spec: at(template, "spec"), status: {} };
  const job = made("batch/v1", "Job", name, fields);
  const ownerReferences = [owner] as never;
  return {
    ...job,
    metadata: {
      ...job.metadata,
      annotations: annotations as never,
      labels: labels as never,
      ownerReferences,
    },
  };
}

export const createCronJob: Generator = {
  flags: flags("image:value schedule:value restart:value"),
  failure: "failed to create cronjob: ",
  make(name, args) {
    const image = required(args, "image");
    const schedule = required(args, "schedule");
    const restart = args.get("restart") ?? "OnFailure";
    const template = podTemplate(name, image, args.rest, restart);
    const jobTemplate = { metadata: { name }, spec: { template } };
    const fields = { spec: { schedule, jobTemplate }, status: {} };
    return made("batch/v1", "CronJob", name, fields);
  },
};

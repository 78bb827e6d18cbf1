/**
 * The controllers of the controller manager, by the name that each has in the
 * trace: separate loops, one process, one set of informers.
 */
import type { Component, ComponentContext } from "../client/component.ts";
import { startDeploymentController } from "../controllers/deployment/deployment.ts";
import { startReplicaSetController } from "../controllers/replicaset.ts";
import { startRootCaPublisher } from "../controllers/root-ca.ts";
import { startServiceAccountController } from "../controllers/serviceaccount.ts";
import type { ContextFor } from "./process.ts";

/** The certificate of the cluster's own authority, in name alone. */
const ROOT_CA =
  "-----BEGIN CERTIFICATE-----\nsimulated\n-----END CERTIFICATE-----\n";

const CONTROLLERS: {
  readonly [actor: string]: (context: ComponentContext) => Component;
} = {
  "deployment-controller": startDeploymentController,
  "replicaset-controller": startReplicaSetController,
  "serviceaccount-controller": startServiceAccountController,
  "root-ca-certificate-publisher": (context) =>
    startRootCaPublisher(context, ROOT_CA),
};

export function startControllerManager(contextFor: ContextFor): Component {
  const running = Object.entries(CONTROLLERS).map(([actor, start]) =>
    start(contextFor(actor)),
  );
  return {
    stop() {
      for (const one of running) one.stop();
    },
  };
}

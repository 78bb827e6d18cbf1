/**
 * ComponentStatus: how the parts of the control plane are; read only, and on its way out.
 * Models: pkg/registry/core/componentstatus/rest.go @ v1.36
 */
import { columns } from "../table.ts";
import { list, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/service.ts";

export type ComponentStatus = types.ComponentStatus;

export const ComponentStatus: Kind<ComponentStatus> =
  defineKind<ComponentStatus>({
    kind: "ComponentStatus",
    namespaced: false,
    shortNames: ["cs"],
    deprecation: "v1 ComponentStatus is deprecated in v1.19+",
    verbs: ["get", "list"],
    columns: columns("Name|Status|Message|Error"),
    row: (object) => {
      const healthy = list(object.conditions).find((c) => c.type === "Healthy");
      const status = !healthy
        ? "Unknown"
        : healthy.status === "True"
          ? "Healthy"
          : "Unhealthy";
      return {
        cells: [
          object.metadata.name,
          status,
          str(healthy?.message),
          str(healthy?.error),
        ],
      };
    },
  });

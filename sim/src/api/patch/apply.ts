/**
 * Server-side apply and managedFields.
 * Models:     apimachinery/pkg/util/managedfields @ v1.36
 */
export type { Kind, WriteBy } from "./apply/fields.ts";
export { applyConfig, recordUpdate } from "./apply/fields.ts";
export {
  lastAppliedAnnotation,
  upgradeManagedFields,
} from "./apply/last-applied.ts";

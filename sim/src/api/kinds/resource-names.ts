/**
 * How resources are called, and what may be said of their amounts.
 * Models: pkg/apis/core/helper/helpers.go, validateResourceName and
 *         ValidateResourceQuantityValue of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import { type FieldError, invalid, notSupported } from "../field-error.ts";
import { isPodLevel } from "../helpers/pod-requests.ts";
import { labelKey } from "../names.ts";
import {
  compareQuantities,
  milliValue,
  parseQuantity,
  type Quantity,
  value,
  zero,
} from "../quantity.ts";
import { notNegative } from "./shared-validation.ts";

/** Objects that a quota counts by a name of their own. */
const counted = [
  ...["pods", "services", "replicationcontrollers", "resourcequotas"],
  ...["secrets", "configmaps", "persistentvolumeclaims"],
  ...["services.nodeports", "services.loadbalancers"],
];
const measured = /^((requests|limits)\.)?(cpu|memory|ephemeral-storage)$/;
const huge = /^(requests\.)?hugepages-/;

/** Native names are short, or of Kubernetes' own domain. */
function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith("requests.")) return false;
  return labelKey(`requests.${name}`).length === 0;
}

/** May more be promised of it than there is? */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

export function isQuotaName(name: string): boolean {
  const known = counted.includes(name) || measured.test(name);
  return known || name === "requests.storage" || huge.test(name);
}

/** What is wrong with the name of any resource. */
export function resourceNameErrors(name: string, path: string): FieldError[] {
  const texts = labelKey(name);
  if (texts.length > 0) return texts.map((text) => invalid(path, name, text));
  if (name.includes("/") || isQuotaName(name) || name === "storage") return [];
  const rule = "must be a standard resource type or fully qualified";
  return [invalid(path, name, rule)];
}

/** The same for a resource that containers ask for. */
export function containerResourceErrors(
  name: string,
  path: string,
): FieldError[] {
  const errors = resourceNameErrors(name, path);
  const wrong = (rule: string) => [...errors, invalid(path, name, rule)];
  if (!name.includes("/")) {
    const own = /^(cpu|memory|ephemeral-storage)$|^hugepages-/.test(name);
    return own ? errors : wrong("must be a standard resource for containers");
  }
  return isNative(name) || isExtended(name)
    ? errors
    : wrong("doesn't follow extended resource name standard");
}

/** The same for a Pod as a whole. */
export function podResourceErrors(name: string, path: string): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (errors.length > 0 || isPodLevel(name)) return errors;
  return [notSupported(path, name, ["cpu", "hugepages-", "memory"])];
}

/** Only whole pages can be asked for. */
export function pageErrors(
  name: string,
  amount: string,
  path: string,
): FieldError[] {
  const page = value(sizeOf(name.slice("hugepages-".length)));
  if (page > 0n && value(parseQuantity(amount)) % page === 0n) return [];
  const rule = `${amount} is not positive integer multiple of ${name}`;
  return [invalid(path, amount, rule)];
}

/** Zero where the name says no size in whole bytes. */
function sizeOf(page: string): Quantity {
  try {
    const size = parseQuantity(page);
    return milliValue(size) % 1000n === 0n ? size : zero;
  } catch {
    return zero;
  }
}

/** Not negative, and whole where whole things are counted. */
export function amountErrors(
  name: string,
  amount: string,
  path: string,
): FieldError[] {
  const quantity = parseQuantity(amount);
  const errors: FieldError[] = [];
  if (compareQuantities(quantity, zero) < 0)
    errors.push(invalid(path, amount, notNegative));
  const whole = counted.includes(name) || isExtended(name);
  if (whole && milliValue(quantity) % 1000n !== 0n)
    errors.push(invalid(path, amount, "must be an integer"));
  return errors;
}

/**
 * Amounts of an autoscaler in thousandths, and as the API writes them.
 * Models: buildQuantity in pkg/controller/podautoscaler/horizontal.go @ v1.36
 */
import { formatQuantity, milliCpu } from "../../api/quantity.ts";

/** Thousandths of a quantity, for CPU and for all else. */
export function milliOf(quantity: string): number {
  return milliCpu(quantity);
}

export function quantityOf(
  milli: number,
  format: "DecimalSI" | "BinarySI" = "DecimalSI",
): string {
  const unscaled = BigInt(milli);
  return formatQuantity({
    unscaled,
    exponent: -3,
    format,
    text: "",
    big: false,
  });
}

/** Memory as metrics-server tells it: `100Mi`. */
export function averageQuantity(resource: string, milli: number): string {
  return quantityOf(milli, resource === "memory" ? "BinarySI" : "DecimalSI");
}

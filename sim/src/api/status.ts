/**
 * The errors of an API server and how to ask which it is.
 * Models:     apimachinery/pkg/api/errors @ v1.36
 */
export * from "./status/error.ts";
export * from "./status/object-errors.ts";
export * from "./status/request-errors.ts";

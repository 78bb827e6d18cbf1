/**
 * Images that people's manifests name most, and how each behaves. Sizes are
 * about those of the real ones, compressed.
 */
import type { ImageDefinition } from "./image.ts";

const MB = 1_000_000;

/** A server that speaks on `ports`. */
function server(
  name: string,
  sizeMb: number,
  port: number,
  more: Partial<ImageDefinition> = {},
): ImageDefinition {
  const base = { name, sizeBytes: sizeMb * MB, ports: [port], shell: true };
  return { ...base, startMs: 100, memoryBytes: 12 * MB, ...more };
}

/** A base image: it ends at once unless it is given a command. */
function base(name: string, sizeMb: number): ImageDefinition {
  return {
    name,
    sizeBytes: sizeMb * MB,
    shell: true,
    ports: [],
    exit: { afterMs: 0, code: 0 },
    memoryBytes: MB,
  };
}

export const KNOWN_IMAGES: readonly ImageDefinition[] = [
  server("nginx", 72, 80),
  server("httpd", 59, 80),
  server("registry.k8s.io/nginx-slim", 45, 80),
  server("nginxinc/nginx-unprivileged", 70, 8080),
  server("redis", 50, 6379, { startMs: 300 }),
  server("memcached", 32, 11211),
  server("postgres", 150, 5432, { startMs: 3000, memoryBytes: 60 * MB }),
  server("mysql", 170, 3306, { startMs: 8000, memoryBytes: 400 * MB }),
  server("mongo", 260, 27017, { startMs: 2000, memoryBytes: 150 * MB }),
  server("registry.k8s.io/echoserver", 48, 8080),
  server("registry.k8s.io/e2e-test-images/agnhost", 52, 8080),
  server("gcr.io/google-samples/hello-app", 12, 8080),
  server("gcr.io/google-samples/gb-frontend", 300, 80),
  server("gcr.io/google_samples/gb-redis-follower", 60, 6379),
  server("hashicorp/http-echo", 3, 5678, { shell: false }),
  server("traefik/whoami", 3, 80, { shell: false }),
  server("registry.k8s.io/hpa-example", 180, 80, { cpuMilli: 5 }),
  server("registry.k8s.io/metrics-server/metrics-server", 25, 10250),
  server("registry.k8s.io/coredns/coredns", 22, 53, { shell: false }),
  {
    name: "registry.k8s.io/pause",
    sizeBytes: 320_000,
    ports: [],
    memoryBytes: 500_000,
    shell: false,
  },
  base("busybox", 2),
  base("alpine", 4),
  base("ubuntu", 30),
  base("debian", 50),
  base("bash", 6),
  base("python", 370),
  base("node", 400),
  base("golang", 300),
  base("curlimages/curl", 10),
  {
    ...base("hello-world", 0.01),
    shell: false,
    logs: [{ afterMs: 0, text: "Hello from Docker!" }],
  },
  // The Job of the documentation: 2,000 digits of π take some seconds.
  {
    ...base("perl", 330),
    exit: { afterMs: 6000, code: 0 },
    cpuMilli: 1000,
    logs: [{ afterMs: 5900, text: "3.14159265358979323846264338327950288" }],
  },
  // Takes what `--vm-bytes` says: for memory limits.
  { ...base("polinux/stress", 4), exit: undefined },
];

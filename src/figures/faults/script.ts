/** A careful deploy script: retries, waits, forgives what is gone already. */
import type { Api } from "./world.ts";

// region: script
export async function script(api: Api): Promise<void> {
  const all = await api.list();
  const old = all.filter((pod) => pod.version === 1);
  for (const pod of old) {
    const made = await retry(() => api.create(2));
    await untilReady(api, made);
    await retry(() => api.remove(pod.name));
  }
}
// endregion

async function untilReady(api: Api, name: string): Promise<void> {
  for (let second = 0; second < 15; second++) {
    const pods = await api.list();
    if (pods.some((pod) => pod.name === name && pod.ready)) return;
    await api.sleep(1_000);
  }
  throw new Error(`${name} does not become ready`);
}

async function retry<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch {
    return await call();
  }
}

/** The same rollout as a loop: one look, at most one step, look again. */
import { type Api, WANTED } from "./world.ts";

export async function loop(api: Api): Promise<void> {
  for (;;) {
    await reconcile(api).catch(() => {}); // The next look tells what came of it.
    await api.sleep(500);
  }
}

// region: loop
async function reconcile(api: Api): Promise<unknown> {
  const all = await api.list();
  const old = all.filter((pod) => pod.version === 1);
  const fresh = all.filter((pod) => pod.version === 2);
  const ready = all.filter((pod) => pod.ready);
  if (fresh.length > WANTED) return api.remove(fresh[0]!.name);
  if (fresh.length < WANTED && all.length <= WANTED) return api.create(2);
  if (old[0] && ready.length > WANTED) return api.remove(old[0].name);
}
// endregion

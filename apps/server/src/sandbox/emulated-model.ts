import type { Context } from "../context.ts";
import { selectEmulation, writeEmulation } from "../models/find-model.ts";
import { emulationKey } from "../models/model.ts";

type EmulationContext = Pick<Context, "db" | "sealer">;

/**
 * Starts the emulated model, where it listened before when the port is free, and stores its address: bots of sandbox
 * channels then answer without an account at a provider.
 */
export async function startEmulatedModel(context: EmulationContext): Promise<AsyncDisposable> {
  // Every server reads this file to find the model. The emulators, a hundred files, are read by the one that runs them.
  const { createModelEmulator } = await import("@parley/emulators");
  const key = emulationKey(context.sealer);
  const last = Number(URL.parse((await selectEmulation(context.db)) ?? "")?.port ?? 0);
  const model = await createModelEmulator({ key, port: last }).catch(() =>
    createModelEmulator({ key }),
  );
  await writeEmulation(context.db, model.url);
  return model;
}

/** Address and key of the emulated model; null: it does not run. */
export async function findEmulatedModel(
  context: EmulationContext & Pick<Context, "providerHttp">,
): Promise<{ readonly url: string; readonly key: string } | null> {
  const url = await selectEmulation(context.db);
  if (url === null) return null;
  const key = emulationKey(context.sealer);
  const headers = { authorization: `Bearer ${key}` };
  const request = { method: "GET", url: `${url}/models`, headers, timeoutMs: 2_000 } as const;
  const status = await context.providerHttp.request(request).then(
    (answer) => answer.status,
    () => null,
  );
  return status === 200 ? { url, key } : null;
}

import type { Context } from "../context.ts";
import { models } from "../operations/models.ts";
import type { ModelJson } from "../wire/model.ts";
import { perform } from "../write.ts";
import { emulationKey, modelKeyPlace, type ModelProfile } from "./model.ts";
import { selectEmulation, selectModel, type ModelRow } from "./model-store.ts";

export { selectEmulation, writeEmulation } from "./model-store.ts";

/** The model of the emulation that answers where no model is set. */
const EMULATED_NAME = "extract";

/** What may be spent, in the money of the prices. Null: no limit. */
export interface CostCaps {
  readonly costPerDay: number | null;
  readonly costPerMonth: number | null;
}

/** A workspace's model, ready to be called. */
export interface FoundModel extends CostCaps {
  readonly profile: ModelProfile;
  /** The same provider with the cheaper model, where one is named. */
  readonly second: ModelProfile;
}

type FindContext = Pick<Context, "db" | "sealer">;

/**
 * The model that answers for a workspace; null: none. Without one of its own, the emulation answers where `sandbox` says
 * that only the sandbox reads it.
 */
export async function modelOf(
  context: FindContext,
  workspaceId: string,
  { sandbox }: { readonly sandbox: boolean },
): Promise<FoundModel | null> {
  const [row, emulation] = await Promise.all([
    selectModel(context.db, workspaceId),
    selectEmulation(context.db),
  ]);
  if (row) return opened(context, workspaceId, row, emulation);
  return sandbox && emulation !== null ? emulated(context, emulation) : null;
}

function opened(
  context: FindContext,
  workspaceId: string,
  row: ModelRow,
  emulation: string | null,
) {
  const { protocol, url, guarded, inputPrice, outputPrice, costPerDay, costPerMonth } = row;
  const key = context.sealer.open(row.keySealed, modelKeyPlace(workspaceId));
  const isEmulated = key === emulationKey(context.sealer);
  const profile: ModelProfile = {
    protocol,
    // After a restart the emulation may listen elsewhere.
    url: isEmulated ? (emulation ?? url) : url,
    name: row.name,
    key,
    guarded: guarded && !isEmulated,
    emulated: isEmulated,
    inputPrice,
    outputPrice,
  };
  const second = { ...profile, name: row.secondName ?? row.name };
  return { profile, second, costPerDay, costPerMonth };
}

function emulated({ sealer }: FindContext, url: string): FoundModel {
  const profile: ModelProfile = {
    protocol: "openai-chat",
    url,
    name: EMULATED_NAME,
    key: emulationKey(sealer),
    guarded: false,
    emulated: true,
    inputPrice: null,
    outputPrice: null,
  };
  return { profile, second: profile, costPerDay: null, costPerMonth: null };
}

/** The model as both an admin's page and the command line show it. */
export const readModel = perform(models.readModel, (_actor, context: FindContext, workspaceId) =>
  presentModel(context, workspaceId),
);

export async function presentModel(context: FindContext, workspaceId: string): Promise<ModelJson> {
  const row = await selectModel(context.db, workspaceId);
  const found = await modelOf(context, workspaceId, { sandbox: true });
  if (!found) return NONE;
  const { profile, second, costPerDay, costPerMonth } = found;
  const { protocol, url, name, inputPrice, outputPrice } = profile;
  return {
    protocol,
    url,
    name,
    secondName: second.name === name ? null : second.name,
    hasKey: row !== null,
    emulated: profile.emulated,
    inputPrice,
    outputPrice,
    costPerDay,
    costPerMonth,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}

const NONE: ModelJson = {
  protocol: null,
  url: null,
  name: null,
  secondName: null,
  hasKey: false,
  emulated: false,
  inputPrice: null,
  outputPrice: null,
  costPerDay: null,
  costPerMonth: null,
  updatedAt: null,
};

import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { checkAddress } from "../lib/check-address.ts";
import { models } from "../operations/models.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import { presentModel } from "./find-model.ts";
import { emulationKey, modelKeyPlace } from "./model.ts";
import { selectEmulation, selectModel, upsertModel } from "./model-store.ts";

/**
 * Sets the workspace's model; the audit names the address and the model. The address must be public https, unless the
 * operator set it here or in PARLEY_MODEL_URLS. No stored key goes to another address: whoever sets one could read it
 * there. Throws VALIDATION_FAILED by field.
 */
export const setModel = perform(
  models.setModel,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "config" | "operator">,
    workspaceId,
    given,
  ) => {
    const emulation = await selectEmulation(context.db);
    const { url, guarded } = await checkedAddress(context, given.url, emulation);
    await context.db.transaction(async (tx) => {
      const former = await selectModel(tx, workspaceId);
      const stays = former?.protocol === given.protocol && former.url === url;
      if (given.key === undefined && !stays)
        throw invalid("key", "is required for another address or protocol");
      // The emulation's own key opens nothing else, and marks the model as emulated.
      const key = given.key?.trim();
      if (key === emulationKey(context.sealer) && url !== emulation)
        throw invalid(
          "key",
          "is the sandbox's: it fits only the address of `parley sandbox model`",
        );
      const keySealed =
        key === undefined
          ? former?.keySealed
          : context.sealer.seal(key, modelKeyPlace(workspaceId));
      if (!keySealed) throw invalid("key", "is required");
      const { protocol, name } = given;
      await upsertModel(tx, workspaceId, {
        protocol,
        url,
        guarded,
        name: name.trim(),
        secondName: given.secondName ?? null,
        keySealed,
        inputPrice: given.inputPrice ?? null,
        outputPrice: given.outputPrice ?? null,
        costPerDay: given.costPerDay ?? null,
        costPerMonth: given.costPerMonth ?? null,
        updatedAt: context.clock.now(),
      });
      await audit(actor, context, tx, workspaceId, {
        action: "model.set",
        subject: workspaceId,
        facts: { protocol, host: new URL(url).host, name, key: key !== undefined },
      });
    });
    return presentModel(context, workspaceId);
  },
);

async function checkedAddress(
  context: Pick<Context, "config" | "operator">,
  text: string,
  emulation: string | null,
): Promise<{ readonly url: string; readonly guarded: boolean }> {
  const given = URL.parse(text.trim());
  if (!given || !/^https?:$/.test(given.protocol)) throw invalid("url", "must start with https://");
  if (given.username !== "" || given.password !== "" || given.search !== "")
    throw invalid("url", "must not hold a password or a question mark");
  const url = baseOf(given);
  const admitted = [
    ...(context.config.modelUrls ?? []),
    ...(emulation === null ? [] : [emulation]),
  ];
  if (context.operator || admitted.some((one) => URL.parse(one) && baseOf(new URL(one)) === url))
    return { url, guarded: false };
  return { url: baseOf(await checkAddress(context, url, "url")), guarded: true };
}

const baseOf = ({ origin, pathname }: URL): string => `${origin}${pathname}`.replace(/\/+$/, "");

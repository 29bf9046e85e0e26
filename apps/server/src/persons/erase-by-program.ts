import type { Context } from "../context.ts";
import { contactOperations } from "../operations/contacts.ts";
import type { ErasureProgressJson } from "../wire/erasure.ts";
import { perform } from "../write.ts";
import type { Erasure } from "./erasure.ts";
import { findErasure, startErasure } from "./start-erasure.ts";

/**
 * Begins to forget a person for a program. The contact is deleted at once, the rest in batches. A repeated call gives the
 * erasure that runs or ran. Throws NOT_FOUND.
 */
export const eraseByProgram = perform(
  contactOperations.eraseContact,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "wake">,
    workspaceId,
    { id },
  ) => {
    const { alike, ...erasure } = await startErasure(actor, context, workspaceId, id);
    return { ...presentErasure(erasure), alike };
  },
);

/** How far an erasure is. Throws NOT_FOUND. */
export const readErasure = perform(
  contactOperations.readErasure,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) =>
    presentErasure(await findErasure(context, workspaceId, id)),
);

/** An erasure as the doors show it. */
export const presentErasure = (erasure: Erasure): ErasureProgressJson => ({
  id: erasure.id,
  contactId: erasure.contactId,
  state: erasure.state,
  step: erasure.step,
  waitsFor: erasure.waitsFor,
  counts: erasure.counts,
  segments: erasure.stillNamed.segments,
  campaigns: erasure.stillNamed.campaigns,
  createdAt: erasure.createdAt,
  finishedAt: erasure.finishedAt,
});

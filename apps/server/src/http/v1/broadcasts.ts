import { keyActor } from "../../api-keys/api-key.ts";
import { Type, type Static } from "typebox";
import { presentBroadcast } from "../../broadcasts/record/broadcast.ts";
import { findBroadcast } from "../../broadcasts/record/find-broadcast.ts";
import { presentRecord } from "../../broadcasts/record/present-record.ts";
import { listBroadcasts } from "../../broadcasts/record/list-broadcasts.ts";
import { listRecipients, presentRecipient } from "../../broadcasts/report/list-recipients.ts";
import { presentReason } from "../../broadcasts/record/stop-reason.ts";
import { startBroadcast } from "../../broadcasts/record/start-broadcast.ts";
import { invalid } from "../../errors.ts";
import { tagOfRecord } from "../../lib/version-tag.ts";
import type { Call } from "./route.ts";
import { NO_NUL, oneOf } from "../../wire/schema.ts";
import { RECIPIENT_STATUSES } from "../../wire/words.ts";
import { cursorQuery } from "./cursor-query.ts";

const states = {
  status: Type.Optional(oneOf(RECIPIENT_STATUSES, "Only recipients in this state.", "failed")),
  statuses: Type.Optional(
    Type.Array(oneOf(RECIPIENT_STATUSES, "A state.", "failed"), {
      minItems: 1,
      maxItems: RECIPIENT_STATUSES.length,
      description:
        "Only recipients in any of these states, separated by commas. It goes without `status`.",
      examples: [["failed", "skipped"]],
    }),
  ),
};

export const RecipientQuery = Type.Object({ ...states, ...cursorQuery });

/** The states that a query names. Throws VALIDATION_FAILED for both of its names. */
export function statesIn({ status, statuses }: Static<typeof RecipientQuery>) {
  if (status !== undefined && statuses !== undefined)
    throw invalid("statuses", "goes without status");
  return statuses ?? status;
}

export const BroadcastQuery = Type.Object({
  include: Type.Optional(
    oneOf(["draft"], "`draft`: also everything that the campaign is made of.", "draft"),
  ),
});

export const RecipientsFileQuery = Type.Object({
  ...states,
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      ...NO_NUL,
      description: "Only recipients that were skipped for this reason or failed with this code.",
      examples: ["131026"],
    }),
  ),
});

const present = (broadcast: Parameters<typeof presentBroadcast>[0]) =>
  JSON.stringify(presentBroadcast(broadcast));

/** GET /v1/broadcasts */
export async function getBroadcasts({ context, principal }: Call): Promise<string> {
  const broadcasts = await listBroadcasts(context, principal.workspaceId);
  return `[${broadcasts.map(present).join(",")}]`;
}

/** POST /v1/broadcasts/{id}/start */
export async function postBroadcastStart({
  context,
  principal,
  params,
  once,
}: Call): Promise<string> {
  const { workspaceId } = principal;
  return present(
    await startBroadcast(
      keyActor(principal),
      context,
      workspaceId,
      params["id"] ?? "",
      once(present),
    ),
  );
}

/** GET /v1/broadcasts/{id} */
export async function getBroadcast({
  context,
  principal,
  params,
  query,
  setHeader,
}: Call<Static<typeof BroadcastQuery>>): Promise<string> {
  const broadcast = await findBroadcast(context, principal.workspaceId, params["id"] ?? "");
  const draft = presentRecord(broadcast);
  // A change compares this version: of what a draft is made of, whatever is shown of it.
  setHeader("etag", tagOfRecord(draft));
  return JSON.stringify({
    ...presentBroadcast(broadcast),
    reason: presentReason(broadcast),
    ...(query.include === "draft" && { draft }),
  });
}

/** GET /v1/broadcasts/{id}/recipients */
export async function getRecipients({
  context,
  principal,
  params,
  query,
}: Call<Static<typeof RecipientQuery>>): Promise<string> {
  const { cursor, limit = 50 } = query;
  const broadcastId = params["id"] ?? "";
  const page = await listRecipients(context, principal.workspaceId, broadcastId, {
    status: statesIn(query),
    after: cursor,
    limit,
  });
  return JSON.stringify({ items: page.items.map(presentRecipient), nextCursor: page.next });
}

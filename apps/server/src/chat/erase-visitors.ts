import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { visitorTopic } from "../lib/topics.ts";
import {
  revokeBrowserTokens,
  revokeUserTokens,
  selectProfiles,
  type ProfileRow,
} from "./erasure-store.ts";
import { userExternalId } from "./visitor-token.ts";
import type { Queryable } from "../db/database.ts";

interface OnChannel {
  readonly channelId: string;
  readonly externalId: string;
}

const USER = userExternalId("");
const isBrowser = ({ externalId }: OnChannel): boolean => externalId.startsWith("v_");
const isUser = ({ externalId }: OnChannel): boolean => externalId.startsWith(USER);
const split = (identities: readonly OnChannel[]) => ({
  browsers: identities
    .filter(isBrowser)
    .map(({ channelId, externalId }) => ({ channelId, id: externalId })),
  users: identities
    .filter(isUser)
    .map(({ channelId, externalId }) => ({ channelId, id: externalId.slice(USER.length) })),
});

/**
 * Deletes what web chat knows of a person, and ends all tokens of the person's browsers. Such a browser becomes a
 * new visitor when it next asks. Its random id and the ended version stay until none of its tokens can be valid.
 * Open streams end with the commit. Returns how many browsers there were.
 */
export async function eraseVisitors(
  context: Pick<Context, "clock" | "topics">,
  tx: Tx,
  workspaceId: string,
  identities: readonly OnChannel[],
): Promise<number> {
  const { browsers, users } = split(identities);
  const at = context.clock.now();
  const signedIn = await revokeUserTokens(tx, workspaceId, users, at);
  const ended = new Set(signedIn.map((one) => one.visitorId));
  const anonymous = browsers.filter(({ id }) => !ended.has(id));
  await revokeBrowserTokens(tx, workspaceId, anonymous, at);
  tx.afterCommit(() => {
    for (const { channelId, visitorId, userId } of signedIn)
      void context.topics.publish(visitorTopic(channelId, userExternalId(userId)), {
        kind: "ended",
        visitorId,
      });
    for (const { channelId, id } of anonymous)
      void context.topics.publish(visitorTopic(channelId, id), { kind: "ended", visitorId: id });
  });
  return signedIn.length + anonymous.length;
}

/** What pages said of a person, by browser. */
export function visitorProfiles(
  db: Queryable,
  workspaceId: string,
  identities: readonly OnChannel[],
): Promise<ProfileRow[]> {
  const { browsers, users } = split(identities);
  return selectProfiles(db, workspaceId, browsers, users);
}

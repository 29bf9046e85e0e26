import type { LoadedAccount } from "../channels/load-accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { visitorTopic } from "../lib/topics.ts";
import {
  channelVersion,
  chatSettings,
  openQuestions,
  readVisitor,
  type Askable,
} from "./chat-channel.ts";
import { placeOfNewcomers, countChatCall } from "./chat-limits.ts";
import type { ChatMessage } from "./chat-message.ts";
import { isIdentityProven } from "./identity-proof.ts";
import { joinVisitor } from "./join-visitor.ts";
import { readHistory, writeCursor } from "./read-thread.ts";
import { saveVisitor, selectVisitor, type Profile } from "./visitor-store.ts";
import { externalIdOf, newVisitorId, signVisitor, type Visitor } from "./visitor-token.ts";

/** Messages that a session shows. */
const SHOWN = 50;

export interface SessionInput {
  readonly token?: string;
  readonly user?: Profile & { readonly id?: string; readonly hash?: string };
  readonly locale?: string;
}

export interface ChatSession {
  readonly token: string;
  readonly verified: boolean;
  readonly cursor: string;
  readonly messages: readonly ChatMessage[];
  readonly earlier: boolean;
  readonly unread: number;
  /** What the window still asks the visitor. */
  readonly asks: readonly Askable[];
  readonly settings: ReturnType<typeof chatSettings>;
}

/**
 * Opens a visitor's session or continues it (docs/web-chat.md). A token that is not valid makes a new visitor. A
 * proven user is the same person on every device, and a browser that was anonymous until then is joined with that
 * user once. `address` is where the request came from, for the limit on new visitors. Throws INVALID_IDENTITY,
 * RATE_LIMITED.
 */
export async function openSession(
  context: Context,
  account: LoadedAccount,
  input: SessionInput,
  address: string,
): Promise<ChatSession> {
  const { channelId, workspaceId } = account;
  const { user } = input;
  const authentic = readVisitor(context, account, input.token);
  const row = authentic && (await selectVisitor(context.db, { ...account, ...authentic }));
  const holds = authentic !== null && (row?.version ?? 0) === authentic.version;
  if (holds) await countChatCall(context, "session", channelId, authentic.visitorId);
  else {
    await countChatCall(context, "newByAddress", placeOfNewcomers(context, channelId, address));
    await countChatCall(context, "newByChannel", channelId);
  }
  const proven = provenId(account, user);
  const profile = profileOf(user);

  const fresh = (): Visitor => ({
    channelId,
    visitorId: newVisitorId(),
    userId: null,
    version: 0,
    channelVersion: channelVersion(account),
  });
  let visitor = holds ? authentic : fresh();
  if (proven !== null) {
    // Also with a token that a sign-in in another tab ended a moment ago.
    const same = authentic !== null && row?.userId === proven;
    if (same) visitor = { ...authentic, userId: proven, version: row.version };
    else if (visitor.userId !== null && visitor.userId !== proven) visitor = fresh();
    visitor = await prove(context, account, visitor, proven, profile, fresh);
  } else if (visitor.userId === null && Object.keys(profile).length > 0) {
    const key = { workspaceId, channelId, visitorId: visitor.visitorId };
    await context.db.transaction((tx) =>
      saveVisitor(tx, key, { proven: null, profile, at: context.clock.now() }),
    );
  }

  const owner = { workspaceId, channelId, externalId: externalIdOf(visitor) };
  const history = await readHistory(context, owner, visitor.visitorId, SHOWN);
  return {
    token: signVisitor(context, visitor),
    verified: visitor.userId !== null,
    cursor: writeCursor(history.position),
    messages: history.messages,
    earlier: history.earlier,
    unread: history.unread,
    asks: openQuestions(account, visitor.userId !== null, { ...row?.profile, ...profile }),
    settings: chatSettings(context, account, input.locale),
  };
}

async function prove(
  context: Context,
  account: LoadedAccount,
  visitor: Visitor,
  userId: string,
  profile: Profile,
  fresh: () => Visitor,
): Promise<Visitor> {
  const { workspaceId, channelId } = account;
  for (let one = visitor; ; one = fresh()) {
    const key = { workspaceId, channelId, visitorId: one.visitorId };
    const row = await joinVisitor(context, key, userId, profile);
    if (row === null) continue;
    if (one.userId === null)
      await context.topics.publish(visitorTopic(channelId, one.visitorId), {
        kind: "ended",
        visitorId: one.visitorId,
      });
    return { ...one, userId, version: row.version };
  }
}

function provenId(account: LoadedAccount, user: SessionInput["user"]): string | null {
  if (user?.id === undefined && user?.hash === undefined) return null;
  const { id = "", hash = "" } = user;
  if (id === "" || !isIdentityProven(account.secrets["identitySecret"], id, hash))
    throw new AppError("INVALID_IDENTITY");
  return id;
}

function profileOf(user: SessionInput["user"]): Profile {
  const said = (text: string | undefined) => text?.trim() || undefined;
  const [name, email, phone] = [said(user?.name), said(user?.email), said(user?.phone)];
  return { ...(name && { name }), ...(email && { email }), ...(phone && { phone }) };
}

import type { FastifyInstance } from "fastify";
import { MEDIA_KINDS } from "../../wire/words.ts";
import { adapterFor } from "../../channels/registry.ts";
import { findChannel } from "../../channels/list-channels.ts";
import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import type { ConversationPatch } from "../../conversations/update-conversation.ts";
import { readingFrom } from "../../db/database.ts";
import { previewOf } from "../../desk/desk-change.ts";
import { deskRow, mineOf } from "../../desk/read-desk.ts";
import { AppError, invalid } from "../../errors.ts";
import { readThread, selectPart } from "../../inbox/read-thread.ts";
import { draftsOf, saveDraft } from "../../inbox/save-draft.ts";
import { sendReply } from "../../inbox/send-reply.ts";
import { sendTemplate, startConversation } from "../../inbox/send-template.ts";
import { useSuggestion } from "../../inbox/use-suggestion.ts";
import { isId } from "../../lib/ids.ts";
import { memberFileAddress } from "../../media/sign-link.ts";
import { findMedia } from "../../media/open-media.ts";
import { answerFile } from "../media/media.ts";
import { uploadMedia } from "../../media/upload-media.ts";
import { contactAcross } from "../../persons/contact-across.ts";
import { listTemplates } from "../../templates/list-templates.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import { cardOf } from "./contact-card.ts";
import type { DeskRow, MineOf, OpenedConversation } from "../../wire/desk-shapes.ts";
import type { inbox } from "./contract/inbox.ts";
import { memberFile, replyFile, type thread } from "./contract/thread.ts";
import type { Handlers } from "./handlers.ts";
import type { MemberCaller } from "./member-door.ts";
import { serveMember, serveMemberUpload } from "./serve-member.ts";

type ThreadFaces = typeof thread &
  Pick<
    typeof inbox,
    | "openConversation"
    | "readThread"
    | "sendReply"
    | "useSuggestion"
    | "sendTemplate"
    | "startConversation"
    | "saveDraft"
  >;

const LONGEST_REPLY = 4_096;
const MOST_TEMPLATES = 200;

/** One conversation: its thread, and what members write in it. */
export const threadHandlers: Handlers<ThreadFaces> = {
  openConversation: (context, { caller, params }) =>
    readOpened({ ...context, db: readingFrom(context.db) }, caller, params.id),

  async readThread(context, { caller, params, query }) {
    const { again, ...range } = query;
    const ids = again?.split(",").filter((id) => id !== "");
    const db = readingFrom(context.db);
    return readThread({ db }, caller.workspaceId, params.id, { ...range, again: ids });
  },

  async sendReply(context, { caller, params, body }) {
    const { afterwards, ...reply } = body;
    const { workspaceId } = caller;
    const message = await sendReply(caller.actor, context, workspaceId, params.id, {
      ...reply,
      afterwards: afterwards && patchOf(context, afterwards),
    });
    return { message, row: await rowOf(context, workspaceId, params.id) };
  },

  async useSuggestion(context, { caller, params, body }) {
    const { afterwards, ...reply } = body;
    const { workspaceId } = caller;
    const { message, conversationId } = await useSuggestion(
      caller.actor,
      context,
      workspaceId,
      params.id,
      { ...reply, afterwards: afterwards && patchOf(context, afterwards) },
    );
    return { message, row: await rowOf(context, workspaceId, conversationId) };
  },

  async sendTemplate(context, { caller, params, body }) {
    const { workspaceId } = caller;
    const message = await sendTemplate(caller.actor, context, workspaceId, params.id, body);
    return { message, row: await rowOf(context, workspaceId, params.id) };
  },

  async startConversation(context, { caller, params, body }) {
    const { workspaceId } = caller;
    const sent = await startConversation(caller.actor, context, workspaceId, params.id, body);
    return { message: sent.message, row: await rowOf(context, workspaceId, sent.conversationId) };
  },

  async saveDraft(context, { caller, params, body }) {
    const draft = { ...body, media: body.media ?? [] };
    await saveDraft(caller.actor, context, caller.workspaceId, params.id, draft);
    return (await ownPart(context, caller, params.id)).mine;
  },

  async readAcross(context, { caller, params }) {
    const { workspaceId } = caller;
    if (!(await findContact(context.db, workspaceId, params.id))) throw new AppError("NOT_FOUND");
    return { lines: [...(await contactAcross(context, workspaceId, params.id))] };
  },

  async listSendableTemplates(context, { caller, params }) {
    const conversation = await findConversation(context, caller.workspaceId, params.id);
    if (!conversation) throw new AppError("NOT_FOUND");
    const filter = { channelId: conversation.channelId, limit: MOST_TEMPLATES };
    return { templates: await listTemplates(context, caller.workspaceId, filter) };
  },
};

async function readOpened(
  context: Context,
  caller: MemberCaller,
  id: string,
): Promise<OpenedConversation> {
  const { workspaceId } = caller;
  if (!isId(id)) throw new AppError("NOT_FOUND");
  // In two turns: statements that do not depend on each other are sent together.
  const [row, own, part] = await Promise.all([
    rowOf(context, workspaceId, id),
    ownPart(context, caller, id),
    selectPart(context.db, workspaceId, id, {}),
  ]);
  const [contact, channel] = await Promise.all([
    findContact(context.db, workspaceId, row.contactId),
    findChannel(context, workspaceId, row.channelId),
  ]);
  if (!contact) throw new AppError("NOT_FOUND");
  return {
    row,
    mine: own.mine,
    thread: part,
    contact: cardOf(contact),
    draft: own.draft,
    rules: {
      maxText: LONGEST_REPLY,
      files: filesOf(context, row.channelType),
      templates: row.channelType === "WHATSAPP",
      sandbox: channel.sandbox,
      quotes: adapterFor(row.channelType).quotes ?? "nothing",
    },
  };
}

/** The files that go on a channel, in bytes that this server accepts as an upload. */
function filesOf(
  { config }: Pick<Context, "config">,
  type: DeskRow["channelType"],
): OpenedConversation["rules"]["files"] {
  const { media = {} } = adapterFor(type);
  return MEDIA_KINDS.flatMap((kind) => {
    const rule = media[kind];
    if (rule === undefined) return [];
    const maxBytes = Math.min(rule.maxBytes, config.mediaMaxBytes);
    return [{ kind, mimeTypes: [...rule.mimeTypes], maxBytes }];
  });
}

/** Throws NOT_FOUND for a conversation that the inbox does not have: a campaign opened it, and nobody answered. */
async function rowOf(context: Context, workspaceId: string, id: string): Promise<DeskRow> {
  const row = await deskRow(context.db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND", { explanation: "not in the inbox" });
  return row;
}

/** The member's own part of a conversation, with the whole draft. */
async function ownPart(
  context: Context,
  { workspaceId, memberId }: MemberCaller,
  id: string,
): Promise<{ readonly mine: MineOf; readonly draft: OpenedConversation["draft"] }> {
  const [[mine], [draft]] = await Promise.all([
    mineOf(context.db, workspaceId, memberId, [id]),
    draftsOf(context.db, workspaceId, memberId, [id]),
  ]);
  if (!mine) throw new AppError("NOT_FOUND");
  return {
    mine: { ...mine, draft: draft ? previewOf(draft.text) : null },
    draft: draft ? { mode: draft.mode, text: draft.text, media: draft.media } : null,
  };
}

/** Throws VALIDATION_FAILED for a snooze in the past. */
function patchOf(
  context: Pick<Context, "clock">,
  afterwards:
    | { readonly status: "resolved" }
    | { readonly status: "snoozed"; readonly until: string },
): ConversationPatch {
  if (afterwards.status === "resolved") return afterwards;
  const until = new Date(afterwards.until);
  if (until <= context.clock.now()) throw invalid("afterwards.until", "must be in the future");
  return { status: "snoozed", until };
}

/** Serves the files of messages and campaigns to members. */
export function registerMemberFiles(fastify: FastifyInstance, context: Context): void {
  serveMember(fastify, context, memberFile, async ({ caller, params, request, reply }) => {
    const id = params["id"] ?? "";
    const media = isId(id) ? await findMedia(context, caller.workspaceId, id) : null;
    // Asked for each time, though mostly answered by 304: a browser's copy must not outlive the session.
    return answerFile(context, request, reply, media, "private, no-cache");
  });
}

/** Serves uploads of files for replies. */
export function registerUploads(fastify: FastifyInstance, context: Context): void {
  serveMemberUpload(fastify, context, replyFile, async ({ caller, query, request }, body) => {
    const mimeType = request.headers["content-type"] ?? "application/octet-stream";
    const fileName = String(query["name"]);
    const given = { fileName, mimeType, body };
    const media = await uploadMedia(caller.actor, context, caller.workspaceId, given);
    return {
      id: media.id,
      url: memberFileAddress(media.id),
      kind: media.kind,
      mimeType: media.mimeType ?? mimeType,
      fileName: media.fileName,
      size: media.size ?? 0,
    };
  });
}

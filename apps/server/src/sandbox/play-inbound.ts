import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "../actor.ts";
import { listChannels } from "../channels/list-channels.ts";
import type { Context } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { AppError, invalid } from "../errors.ts";
import { SPOKEN_FILE_BYTES, type Said } from "../lib/sandbox-slot.ts";
import { findMedia, openMedia } from "../media/open-media.ts";
import { findMessage, listMessages } from "../messages/record/find-message.ts";
import type { Message } from "../messages/record/message.ts";
import type { InputOf } from "../operations/operation.ts";
import { testing } from "../operations/testing.ts";
import type { TestInboundJson } from "../wire/testing.ts";
import { checkIsTest } from "../workspaces/test-workspace.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import { listLines, type ListedLine } from "./list-lines.ts";
import { openPhone } from "./open-phone.ts";
import { placeOf } from "./place-of.ts";
import { sayAsVisitor } from "./say-as-visitor.ts";

type Inbound = InputOf<typeof testing.playInbound>;

/** How long a pressed button may take until its message is stored; a text waits as long (`line.ts`). */
const PATIENCE_MS = 10_000;

/**
 * Plays a customer of a test workspace. What began is kept before the platform is called, and how it ended after that: a call
 * that is repeated writes no second message. Throws NOT_ALLOWED_IN_STATE for a live workspace, NOT_FOUND, CHANNEL_NEEDED,
 * NOT_SUPPORTED_HERE, VALIDATION_FAILED, and OVERLOADED while no process runs the sandbox.
 */
export const playInbound = perform(
  testing.playInbound,
  async (actor, context: Context, workspaceId, input, { keep }) => {
    await checkIsTest(context.db, workspaceId);
    const line = await chooseLine(context, workspaceId, input);
    const act = await actOf(context, workspaceId, line, input);
    const begun: TestInboundJson = {
      state: "sent",
      channelId: line.id,
      from: act.from ?? "",
      messageId: null,
      conversationId: null,
      contactId: null,
    };
    const kept = await context.db.transaction(async (tx) => {
      const facts = { ...(input.press && { act: "press" }) };
      const entry = { action: "sandbox.said", subject: line.id, facts } as const;
      await audit(actor, context, tx, workspaceId, entry);
      return keep(tx, begun);
    });
    const said = await act.play(actor);
    if (said === null) return kept;
    return context.db.transaction((tx) =>
      keep(tx, {
        ...begun,
        from: said.from,
        state: said.takenIn && said.messageId !== null ? ("stored" as const) : ("sent" as const),
        messageId: said.messageId,
        conversationId: said.conversationId,
        contactId: said.contactId,
      }),
    );
  },
);

/** What the customer does. `play` null: it did it, and nothing was stored of it in time. */
interface Act {
  readonly from: string | undefined;
  readonly play: (actor: Actor) => Promise<Omit<Said, "platformMessageId"> | null>;
}

async function chooseLine(
  context: Context,
  workspaceId: string,
  input: Inbound,
): Promise<ListedLine> {
  const { channel, channelId } = input;
  const lines = await listLines(context, workspaceId);
  const fitting = lines.filter(
    ({ id, type }) =>
      (channelId === undefined || id === channelId) && (channel === undefined || type === channel),
  );
  const [line, another] = fitting;
  if (line && !another) return line;
  if (!line && (channelId !== undefined || channel !== undefined))
    throw await missingLine(context, workspaceId, input);
  const names = lines.map(({ id, type }) => `${type} ${id}`).join(", ");
  throw new AppError("CHANNEL_NEEDED", {
    explanation:
      lines.length === 0
        ? "the workspace has no channel: parley sandbox add TYPE"
        : `name one in channelId: ${names}`,
  });
}

/** Why no line of the sandbox fits: its channel is disconnected, or there is none. */
async function missingLine(
  context: Context,
  workspaceId: string,
  { channel, channelId }: Inbound,
): Promise<AppError> {
  const off = (await listChannels(context, workspaceId)).find(
    ({ id, type, status }) =>
      status === "disconnected" && (channelId === undefined ? type === channel : id === channelId),
  );
  if (off)
    return new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: `the channel ${off.id} is disconnected, so no customer can write on it: parley sandbox add ${off.type} makes another`,
    });
  return new AppError("NOT_FOUND", {
    explanation: `the workspace has no sandbox channel ${channelId ?? channel ?? ""}: parley sandbox list has those that there are`,
  });
}

async function actOf(
  context: Context,
  workspaceId: string,
  line: ListedLine,
  input: Inbound,
): Promise<Act> {
  const { press, text, mediaId, from, name } = input;
  if (press) {
    if (text !== undefined || mediaId !== undefined || input.replyTo !== undefined)
      throw invalid("press", "goes without text, file and quote");
    return pressOf(context, workspaceId, line, press);
  }
  if (text === undefined && mediaId === undefined)
    throw invalid("text", "must be given, or mediaId, or press");
  const file = mediaId === undefined ? undefined : await readFile(context, workspaceId, mediaId);
  const replyTo = await quotedOf(context, workspaceId, line, input.replyTo);
  const words = {
    ...(from !== undefined && { from }),
    ...(name !== undefined && { name }),
    ...(text !== undefined && { text }),
    ...(file && { file }),
  };
  if (line.type === "WEB") return { from, play: () => sayAsVisitor(context, line.id, words) };
  const phone = await openPhone(context, workspaceId, line.id);
  return { from, play: () => phone.say({ ...words, ...(replyTo !== undefined && { replyTo }) }) };
}

/** Of a message on this channel, as its customer and its platform know it. */
async function shownOf(
  context: Context,
  workspaceId: string,
  line: ListedLine,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<{ readonly message: Message; readonly customer: string; readonly platformId: string }> {
  const message = await findMessage(context, workspaceId, id);
  const { conversationId, channelId, providerMessageId } = message ?? {};
  const thread = conversationId
    ? await findConversation(context, workspaceId, conversationId)
    : null;
  if (!message || !thread || channelId !== line.id || !providerMessageId)
    throw invalid(path, "must be a message on this channel that the platform has");
  // The phones of Telegram show only the number of a message.
  const platformId =
    line.type === "TELEGRAM" ? (providerMessageId.split(":")[1] ?? "") : providerMessageId;
  return { message, customer: thread.externalId, platformId };
}

async function quotedOf(
  context: Context,
  workspaceId: string,
  line: ListedLine,
  replyTo: string | undefined,
): Promise<string | undefined> {
  if (replyTo === undefined) return undefined;
  if (line.type === "WEB" || line.type === "SMS")
    throw new AppError("NOT_SUPPORTED_HERE", {
      explanation: `customers quote nothing on ${line.type}`,
    });
  const place = { id: replyTo, path: "replyTo" };
  return (await shownOf(context, workspaceId, line, place)).platformId;
}

async function pressOf(
  context: Context,
  workspaceId: string,
  line: ListedLine,
  { messageId, button }: NonNullable<Inbound["press"]>,
): Promise<Act> {
  if (!hasButtons(line.type))
    throw new AppError("NOT_SUPPORTED_HERE", {
      explanation: `customers press nothing on ${line.type}: they write the number or the words`,
    });
  const place = { id: messageId, path: "press.messageId" };
  const { message, customer, platformId } = await shownOf(context, workspaceId, line, place);
  refuseOtherButton(message, button);
  const conversationId = message.conversationId ?? "";
  const phone = await openPhone(context, workspaceId, line.id);
  const newest = async () => (await listMessages(context, workspaceId, conversationId)).messages;
  const before = new Set((await newest()).map(({ id }) => id));
  return {
    from: customer,
    async play() {
      const action = {
        action: "press",
        messageId: platformId,
        title: button,
        data: button,
      } as const;
      await phone.act(customer, action);
      for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS;) {
        const pressed = (await newest()).find(
          ({ id, direction }) => direction === "inbound" && !before.has(id),
        );
        const stored = placeOf(pressed ?? null);
        if (stored) return { from: customer, takenIn: true, ...stored };
        await sleep(20);
      }
      return null;
    },
  };
}

/** Throws VALIDATION_FAILED for a button that the message does not offer. What a template's buttons say is the platform's to know. */
function refuseOtherButton({ type, attachments }: Message, button: string): void {
  if (type === "template") return;
  const offered = attachments.flatMap((one) => one.buttons ?? []).flatMap(({ text }) => text ?? []);
  if (offered.includes(button)) return;
  throw offered.length === 0
    ? invalid("press.messageId", "must be a message with buttons")
    : invalid("press.button", `must be what a button of the message says: ${offered.join(", ")}`);
}

/** A visitor of the web chat presses in the browser, and TikTok and SMS have no buttons. */
const hasButtons = (type: string): boolean =>
  type === "WHATSAPP" || type === "MESSENGER" || type === "INSTAGRAM" || type === "TELEGRAM";

async function readFile(context: Context, workspaceId: string, id: string) {
  const media = await findMedia(context, workspaceId, id);
  const bytes = media && (await openMedia(context, media));
  if (!media || !bytes) throw invalid("mediaId", "must be an upload of this workspace");
  if ((media.size ?? 0) > SPOKEN_FILE_BYTES) throw invalid("mediaId", "is larger than 16 MiB");
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  const { fileName, mimeType } = media;
  return {
    fileName: fileName ?? "file",
    mimeType: mimeType ?? "application/octet-stream",
    bytes: Buffer.concat(parts),
  };
}

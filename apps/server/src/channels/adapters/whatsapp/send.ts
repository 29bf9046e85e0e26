import type { Http } from "../../../lib/http.ts";
import type {
  ChannelAccount,
  FailedOutcome,
  OutboundMedia,
  OutboundMessage,
  SendOutcome,
} from "../../adapter.ts";
import { takesChoices, type ChoicesRule } from "../../adapter.ts";
import { tooManyChoices } from "../media-refusal.ts";
import { checkMedia } from "../meta/check-media.ts";
import { WHATSAPP_MEDIA } from "./media-rules.ts";
import { outcomeOfNoAnswer, outcomeOfWhatsAppSend } from "./outcome.ts";
import { checkTemplate, judgeTemplateSend, templateBody } from "./template-send.ts";
import { uploadToWhatsApp } from "./upload-media.ts";

/** Meta says "characters" without saying which; a reply longer in UTF-16 units is sent in parts (`adapter.ts`). */
export const MAX_TEXT_LENGTH = 4096;

/** A choice as a button; as a row of a list it may have 24 characters (`WHATSAPP_CHOICES`). */
const BUTTON_LENGTH = 20;
/** Interactive messages: ten rows, and 1,024 characters of body (channels.md §2.3). */
export const WHATSAPP_CHOICES: ChoicesRule = {
  most: 10,
  label: 24,
  payload: 200,
  text: { unit: "characters", most: 1_024 },
};

// Shorter than the caller's lease.
const TIMEOUT_MS = 20_000;

/** A business-scoped user id: the address of a customer without a visible phone number (channels.md §2.5). */
const BSUID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]+$/;

/**
 * `POST /{phone_number_id}/messages` (channels.md §2.1–2.3). One call, never a second one. A file is uploaded
 * before, which sends nothing.
 */
export async function sendWhatsApp(
  http: Http,
  account: ChannelAccount,
  message: OutboundMessage,
): Promise<SendOutcome> {
  const refusal = checkContent(message);
  if (refusal !== null) return refusal;
  const content = await contentBody(http, account, message.content);
  if (!content.ok) return content;
  const token = account.secrets["accessToken"] ?? "";
  try {
    const response = await http.request({
      method: "POST",
      url: `${account.apiUrl}/${encodeURIComponent(account.externalId)}/messages`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(messageBody(message, content.body)),
      timeoutMs: TIMEOUT_MS,
    });
    const outcome = outcomeOfWhatsAppSend(response, token);
    return message.content.kind === "template"
      ? judgeTemplateSend(message.content.template, outcome)
      : outcome;
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

function messageBody(message: OutboundMessage, content: object): object {
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...(BSUID.test(message.to) ? { recipient: message.to } : { to: message.to }),
    ...content,
    ...(message.quotes !== undefined && { context: { message_id: message.quotes } }),
    // Comes back in every status, which settles a send with a lost answer.
    biz_opaque_callback_data: message.id,
  };
}

async function contentBody(
  http: Http,
  account: ChannelAccount,
  content: OutboundMessage["content"],
): Promise<{ readonly ok: true; readonly body: object } | FailedOutcome> {
  if (content.kind === "text") {
    const text = { preview_url: false, body: content.text };
    return { ok: true, body: { type: "text", text } };
  }
  if (content.kind === "choices")
    return { ok: true, body: { type: "interactive", interactive: interactiveOf(content) } };
  if (content.kind === "template") {
    const template = templateBody(content.template);
    return { ok: true, body: { type: "template", template } };
  }
  const uploaded = await uploadToWhatsApp(http, account, content.media);
  if (!uploaded.ok) return uploaded;
  return { ok: true, body: mediaBody(content.media, uploaded.id, content.caption) };
}

/** Up to three short choices are buttons, others the rows of a list that a button opens. */
function interactiveOf({ text, choices }: ChoicesContent): object {
  const body = { text };
  if (choices.length <= 3 && choices.every((one) => one.text.length <= BUTTON_LENGTH)) {
    const buttons = choices.map((one) => ({
      type: "reply",
      reply: { id: one.payload, title: one.text },
    }));
    return { type: "button", body, action: { buttons } };
  }
  const rows = choices.map((one) => ({ id: one.payload, title: one.text }));
  // The button has the language of what it opens.
  const button = /\p{Script=Arabic}/u.test(text) ? "اختر" : "Choose";
  return { type: "list", body, action: { button, sections: [{ title: button, rows }] } };
}

function mediaBody({ kind, fileName }: OutboundMedia, id: string, caption: string | null): object {
  const named = kind === "document" ? { filename: fileName } : {};
  const told = caption === null ? {} : { caption };
  return { type: kind, [kind]: { id, ...told, ...named } };
}

type ChoicesContent = Extract<OutboundMessage["content"], { kind: "choices" }>;

/** The reasons for which the platform would refuse, without a call. */
function checkContent(message: OutboundMessage): FailedOutcome | null {
  if (message.content.kind === "choices")
    return takesChoices(WHATSAPP_CHOICES, message.content.text, message.content.choices)
      ? null
      : tooManyChoices();
  if (message.content.kind === "text") {
    if (!exceeds(message.content.text, MAX_TEXT_LENGTH)) return null;
    const detail = `a text holds at most ${MAX_TEXT_LENGTH} characters`;
    return { ok: false, reason: "rejected", code: "TEXT_TOO_LONG", detail, scope: "recipient" };
  }
  if (message.content.kind === "media")
    return checkMedia(WHATSAPP_MEDIA, message.content.media, message.content.caption);
  return checkTemplate(message.content.template);
}

/**
 * Counts characters as the API's contract does (code points): what the API accepted is not refused here by another
 * count.
 */
function exceeds(text: string, limit: number): boolean {
  return text.length > limit && Array.from(text).length > limit;
}

import type { Http, HttpResponse } from "../../../lib/http.ts";
import type {
  ChannelAccount,
  FailedOutcome,
  OutboundMessage,
  SendOutcome,
  TextLimit,
} from "../../adapter.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { takesChoices, type Choice, type ChoicesRule } from "../../adapter.ts";
import { refuseFile, tooManyChoices } from "../media-refusal.ts";
import { readGraphAnswer } from "./graph-error.ts";
import { idOrNull, record } from "./json.ts";
import { messagingCodes, taggedCodes } from "./messaging-codes.ts";
import { outcomeOfGraphFailure } from "./outcome.ts";

// Shorter than the caller's lease.
const TIMEOUT_MS = 20_000;
/** The platform may take 75 s to fetch a film by its address before it answers. */
const FILE_TIMEOUT_MS = 100_000;

/**
 * The account in the path. A page's token on graph.facebook.com serves the Instagram account behind the page. That
 * account's own id is not an object of that host; there it is `me` (channels.md §4.1).
 */
export function nodeOf(account: ChannelAccount): string {
  const host = URL.parse(account.apiUrl)?.hostname ?? "";
  return account.type === "INSTAGRAM" && host.endsWith("facebook.com")
    ? "me"
    : encodeURIComponent(account.externalId);
}

/** `POST /{account}/messages` with this body (channels.md §3.1, §4.1). One call, never a second one. */
export async function sendMessaging(
  http: Http,
  account: ChannelAccount,
  message: OutboundMessage,
  body: object,
): Promise<SendOutcome> {
  const token = account.secrets["accessToken"] ?? "";
  try {
    const response = await http.request({
      method: "POST",
      url: `${account.apiUrl}/${nodeOf(account)}/messages`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      timeoutMs: message.content.kind === "media" ? FILE_TIMEOUT_MS : TIMEOUT_MS,
    });
    return outcomeOfSend(response, token, message.afterWindow === true);
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

/** 200 without a message id proves nothing, so it is `unknown`. */
function outcomeOfSend(response: HttpResponse, token: string, tagged: boolean): SendOutcome {
  const failed = () =>
    outcomeOfGraphFailure(response, token, tagged ? taggedCodes : messagingCodes);
  if (response.status < 200 || response.status >= 300) return failed();
  const answer = readGraphAnswer(response);
  const externalId = idOrNull(answer?.["message_id"]);
  if (externalId === null) {
    if (Object.hasOwn(record(answer?.["error"]), "code")) return failed();
    const detail = "the platform answered 200 without a message id";
    return { ok: false, reason: "unknown", code: "NO_MESSAGE_ID", detail };
  }
  const recipientId = idOrNull(answer?.["recipient_id"]);
  return { ok: true, externalId, ...(recipientId !== null && { recipientId }) };
}

/** The reason why a text is not tried, or null: the caller cuts long ones into parts. */
export function checkText(text: string, limit: TextLimit): FailedOutcome | null {
  const length = limit.unit === "bytes" ? Buffer.byteLength(text, "utf8") : text.length;
  return length > limit.most
    ? refuseFile("TEXT_TOO_LONG", `one send holds at most ${limit.most} ${limit.unit}`)
    : null;
}

/** Thirteen quick replies of twenty characters (Meta, "Quick Replies"), below a text as long as the platform takes. */
export const quickReplyRule = (text: TextLimit): ChoicesRule => ({
  most: 13,
  label: 20,
  payload: 1_000,
  text,
});

/** A text with its choices as quick replies, or why the platform would refuse it. */
export function quickReplies(
  content: { readonly text: string; readonly choices: readonly Choice[] },
  limit: TextLimit,
): { text: string; quick_replies: object[] } | FailedOutcome {
  const { text, choices } = content;
  if (!takesChoices(quickReplyRule(limit), text, choices)) return tooManyChoices();
  return {
    text,
    quick_replies: choices.map((one) => ({
      content_type: "text",
      title: one.text,
      payload: one.payload,
    })),
  };
}

/** The outcome of a template on a channel without templates: refused before a call. */
export const noTemplates = (): FailedOutcome =>
  refuseFile("TEMPLATE_UNSUPPORTED", "this channel has no templates");

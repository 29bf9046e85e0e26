import { json, type Answer } from "../core/server.ts";

interface Known {
  readonly title: string;
  readonly http: number;
  readonly details?: string;
  readonly transient?: boolean;
  /** The details that always come with the code. */
  readonly subcode?: number;
}

const RATE = 400;

/**
 * Titles and HTTP statuses of the Graph codes that a sender meets. Codes of the 13xxxx family answer 400 by
 * default.
 */
const KNOWN: Readonly<Record<number, Known>> = {
  0: { title: "AuthException", http: 401 },
  1: { title: "API Unknown", http: 500, transient: true },
  2: {
    title: "API Service",
    http: 500,
    transient: true,
    details: "Service temporarily unavailable.",
  },
  3: { title: "API Method", http: 500 },
  4: { title: "API Too Many Calls", http: 429, details: "Application request limit reached" },
  10: { title: "Permission Denied", http: 403 },
  17: { title: "User request limit reached", http: 429 },
  33: { title: "Parameter value is not valid", http: 400 },
  100: { title: "Invalid parameter", http: 400 },
  104: { title: "An access token is required to request this resource.", http: 401 },
  190: { title: "Invalid OAuth access token - Cannot parse access token", http: 401 },
  200: { title: "API Permission", http: 403 },
  368: { title: "Temporarily blocked for policies violations", http: 403 },
  470: { title: "Re-engagement message", http: 400 },
  506: { title: "Duplicate Post", http: 400 },
  613: { title: "Calls to this api have exceeded the rate limit.", http: 400 },
  80007: { title: "Rate limit issues", http: 429, transient: true, subcode: 2446079 },
  130429: {
    title: "Rate limit hit",
    http: RATE,
    details:
      "Message failed to send because there were too many messages sent from this phone number in a short period of time",
  },
  130472: {
    title: "User's number is part of an experiment",
    http: 400,
    details: "Failed to send message because this user's phone number is part of an experiment",
  },
  130497: {
    title: "Business account is restricted from messaging users in this country.",
    http: 400,
  },
  131000: {
    title: "Something went wrong",
    http: 500,
    details: "Message failed to send due to an unknown error.",
  },
  131001: { title: "Message too long", http: 400 },
  131002: { title: "Recipient type invalid", http: 400 },
  131005: { title: "Access denied", http: 403 },
  131006: { title: "Resource not found", http: 400 },
  131008: { title: "Required parameter is missing", http: 400 },
  131009: { title: "Parameter value is not valid", http: 400 },
  131016: {
    title: "Service unavailable",
    http: 503,
    details: "A service is temporarily unavailable.",
  },
  131021: {
    title: "Recipient cannot be sender",
    http: 400,
    details: "Sender and recipient phone number is the same.",
  },
  131026: { title: "Message undeliverable", http: 400, details: "Message Undeliverable." },
  131030: { title: "Recipient phone number not in allowed list", http: 400 },
  131031: { title: "Account has been locked", http: 403 },
  131037: { title: "Display name approval is needed", http: 400 },
  131042: {
    title: "Business eligibility payment issue",
    http: 400,
    details:
      "Message failed to send because there were one or more errors related to your payment method.",
  },
  131043: {
    title: "Message expired",
    http: 400,
    details: "Message was not sent or delivered within its time to live.",
  },
  131044: { title: "Business eligibility payment issue", http: 400 },
  131045: { title: "Incorrect certificate", http: 400 },
  131047: {
    title: "Re-engagement message",
    http: 400,
    details:
      "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
  },
  131048: {
    title: "Spam rate limit hit",
    http: 400,
    details:
      "Message failed to send because there are restrictions on how many messages can be sent from this phone number.",
  },
  131049: {
    title: "This message was not delivered to maintain healthy ecosystem engagement.",
    http: 400,
    details:
      "In order to maintain a healthy ecosystem engagement, the message failed to be delivered.",
  },
  131050: {
    title: "User has stopped marketing messages",
    http: 400,
    details:
      "Unable to deliver the message. This recipient has chosen to stop receiving marketing messages on WhatsApp from your business.",
  },
  131051: {
    title: "Unsupported message type",
    http: 400,
    details: "Message type is not currently supported.",
  },
  131052: {
    title: "Media download error",
    http: 400,
    details: "Unable to download the media sent by the user.",
  },
  131053: {
    title: "Media upload error",
    http: 400,
    details: "Unable to upload the media used in the message.",
  },
  131056: {
    title: "(Business Account, Consumer Account) pair rate limit hit",
    http: RATE,
    details:
      "Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.",
  },
  131057: { title: "Account in maintenance mode", http: 400 },
  131062: {
    title: "Business-scoped user id recipients are not supported for this message",
    http: 400,
  },
  131063: { title: "Account restricted", http: 400 },
  131064: { title: "Message quality limit", http: 400 },
  132000: { title: "Number of parameters does not match the expected number of params", http: 400 },
  132001: { title: "Template name does not exist in the translation", http: 404 },
  132005: { title: "Translated text too long", http: 400 },
  132007: { title: "Template format character policy violated", http: 400 },
  132008: { title: "Template parameter value is not valid", http: 400 },
  132012: { title: "Parameter format does not match format in the created template", http: 400 },
  132015: { title: "Template is paused due to low quality", http: 400 },
  132016: { title: "Template is disabled", http: 400 },
  132018: { title: "There was an error with the template parameters", http: 400 },
  132068: { title: "Flow is blocked", http: 400 },
  132069: { title: "Flow is throttled", http: 400 },
  133004: { title: "Server temporarily unavailable", http: 503 },
  133010: {
    title: "Phone number not registered",
    http: 400,
    details:
      "Account does not exist in Cloud API, please use /register API to create an account first",
  },
  133016: { title: "Account register deregister rate limit exceeded", http: 400 },
  135000: { title: "Generic user error", http: 400 },
  137000: { title: "Identity key mismatch", http: 400 },
};

const knownOf = (code: number): Known | undefined =>
  KNOWN[code] ?? (code > 200 && code < 300 ? KNOWN[200] : undefined);

/** Title and details of a code, as a status webhook shows them. */
export function describe(code: number, details?: string): { title: string; details: string } {
  const known = knownOf(code);
  const title = known?.title ?? "Unknown error";
  return { title, details: details ?? known?.details ?? title };
}

/** A refused call, before it becomes an answer. */
export class GraphRefusal extends Error {
  readonly code: number;
  readonly details: string | undefined;
  readonly subcode: number | undefined;
  readonly text: string | undefined;
  readonly type: string | undefined;
  /** The sentences that the platform shows to people. */
  readonly user: { readonly title: string; readonly words: string } | undefined;
  constructor(
    code: number,
    details?: string,
    more: {
      subcode?: number;
      text?: string;
      type?: string;
      user?: { readonly title: string; readonly words: string };
    } = {},
  ) {
    super(`(#${code}) ${details ?? ""}`);
    this.code = code;
    this.details = details;
    this.subcode = more.subcode;
    this.text = more.text;
    this.type = more.type;
    this.user = more.user;
  }
}

/** The Graph API's error envelope. `status` replaces the code's own HTTP status. */
export function graphError(
  refusal: Pick<GraphRefusal, "code" | "details" | "subcode" | "text" | "type"> &
    Partial<Pick<GraphRefusal, "user">>,
  trace: string,
  options: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  const { code } = refusal;
  const known = knownOf(code);
  const subcode = refusal.subcode ?? known?.subcode;
  const { title, details } = describe(code, refusal.details);
  const platform = code >= 130000 || code === 100;
  return json(
    options.status ?? known?.http ?? 400,
    {
      error: {
        message: refusal.text ?? (code === 190 || code === 104 ? title : `(#${code}) ${title}`),
        type: refusal.type ?? "OAuthException",
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(known?.transient ? { is_transient: true } : {}),
        ...(refusal.user && {
          error_user_title: refusal.user.title,
          error_user_msg: refusal.user.words,
        }),
        ...(platform && subcode === undefined && refusal.text === undefined
          ? { error_data: { messaging_product: "whatsapp", details } }
          : {}),
        fbtrace_id: trace,
      },
    },
    options.headers,
  );
}

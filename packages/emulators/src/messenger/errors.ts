import { randomBytes } from "node:crypto";
import { json, type Answer } from "../core/server.ts";

interface Known {
  readonly text: string;
  readonly http: number;
  readonly transient?: boolean;
}

/** Texts and HTTP statuses by code, or code/subcode (docs: messenger-platform/error-codes). */
const KNOWN: Readonly<Record<string, Known>> = {
  "0": { text: "AuthException", http: 401 },
  "1": { text: "An unknown error occurred", http: 500 },
  "1/99": { text: "An unknown error occurred", http: 500 },
  "1/1357046": { text: "Received invalid JSON reply from API", http: 500 },
  "2": { text: "Service temporarily unavailable", http: 500, transient: true },
  "4": { text: "Application request limit reached", http: 429 },
  "4/2018022": { text: "Too many send requests to phone numbers", http: 429 },
  "10": { text: "Application does not have permission for this action", http: 403 },
  "10/2018278": { text: "This message is sent outside of allowed window.", http: 400 },
  "10/2018065": { text: "This message is sent outside of allowed window.", http: 400 },
  "10/2018108": { text: "This person isn't receiving messages from you right now.", http: 403 },
  "10/2534022": { text: "This message is sent outside of allowed window.", http: 403 },
  "10/1893063": { text: "This Page is temporarily restricted from sending messages.", http: 403 },
  "17": { text: "User request limit reached", http: 429 },
  "32": { text: "Page request limit reached", http: 403 },
  "100": { text: "Invalid parameter", http: 400 },
  "100/33": { text: "Object does not exist or cannot be loaded", http: 400 },
  "100/2018001": { text: "No matching user found", http: 400 },
  "100/2018008": { text: "Failed to fetch the file from the url", http: 400 },
  "100/2018047": { text: "Upload attachment failure.", http: 400 },
  "100/2018109": { text: "Attachment size exceeds allowable limit", http: 400 },
  "100/2018218": { text: "Cannot find the user's profile", http: 400 },
  "102": { text: "Session key invalid or no longer valid", http: 401 },
  "104": { text: "An access token is required to request this resource.", http: 401 },
  "190": { text: "Invalid OAuth access token - Cannot parse access token", http: 401 },
  "190/458": {
    text: "Error validating access token: The user has not authorized application",
    http: 401,
  },
  "190/460": { text: "Error validating access token: The password has been changed.", http: 401 },
  "190/463": { text: "Error validating access token: Session has expired.", http: 401 },
  "190/467": { text: "Error validating access token: Session has been invalidated.", http: 401 },
  "200": { text: "Requires permission", http: 403 },
  "200/1545041": { text: "This person isn't available right now.", http: 403 },
  "230": { text: "User consent is required to access user profile", http: 403 },
  "368": {
    text: "The action attempted has been deemed abusive or is otherwise disallowed",
    http: 400,
  },
  "551": { text: "This person isn't available right now.", http: 400 },
  "613": { text: "Calls to this api have exceeded the rate limit.", http: 400 },
  "1200": { text: "Temporary send message failure. Please try again later.", http: 500 },
  "36000": { text: "The image size is too large", http: 400 },
  "2018007": { text: "Upload attachment failure.", http: 400 },
  "2018047": { text: "Upload attachment failure.", http: 400 },
};

/** A refused call, before it becomes an answer. */
export class PageRefusal extends Error {
  readonly code: number;
  readonly subcode: number | undefined;
  readonly text: string | undefined;
  constructor(code: number, subcode?: number, text?: string) {
    super(`(#${code})`);
    this.code = code;
    this.subcode = subcode;
    this.text = text;
  }
}

const knownOf = (code: number, subcode: number | undefined): Known | undefined =>
  KNOWN[`${code}/${subcode}`] ??
  KNOWN[String(code)] ??
  (code > 200 && code < 300 ? KNOWN["200"] : undefined);

/** Codes of limits: the usage headers show 100 % with them. */
export const isThrottled = (code: number): boolean => [4, 17, 32, 613].includes(code);

/** The Graph API's error envelope. `status` replaces the code's own HTTP status. */
export function refusalAnswer(refusal: PageRefusal, status: number | undefined): Answer {
  const { code, subcode, text } = refusal;
  const known = knownOf(code, subcode);
  const words = text ?? known?.text ?? "Unknown error";
  return json(status ?? known?.http ?? 400, {
    error: {
      message: [102, 104, 190].includes(code) ? words : `(#${code}) ${words}`,
      type: "OAuthException",
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      ...(known?.transient ? { is_transient: true } : {}),
      fbtrace_id: `A${randomBytes(16).toString("base64url")}`,
    },
  });
}

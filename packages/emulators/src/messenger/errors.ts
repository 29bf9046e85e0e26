import { randomBytes } from "node:crypto";
import { json, type Answer } from "../core/server.ts";

interface Known {
  readonly text: string;
  readonly http: number;
  readonly transient?: boolean;
}

/** Words and HTTP statuses by code, or code/subcode (docs: messenger-platform/error-codes). */
const KNOWN: Readonly<Record<string, Known>> = {
  "1": { text: "An unknown error occurred", http: 500 },
  "2": { text: "Service temporarily unavailable", http: 500, transient: true },
  "4": { text: "Application request limit reached", http: 403 },
  "10": { text: "Application does not have permission for this action", http: 403 },
  "10/2018278": { text: "This message is sent outside of allowed window.", http: 400 },
  "10/2018108": { text: "This person isn't receiving messages from you right now.", http: 403 },
  "10/2534022": { text: "This message is sent outside of allowed window.", http: 403 },
  "10/1893063": { text: "This Page is temporarily restricted from sending messages.", http: 403 },
  "32": { text: "Page request limit reached", http: 403 },
  "100": { text: "Invalid parameter", http: 400 },
  "100/33": { text: "Object does not exist or cannot be loaded", http: 400 },
  "100/2018001": { text: "No matching user found", http: 400 },
  "100/2018008": { text: "Failed to fetch the file from the url", http: 400 },
  "100/2018047": { text: "Upload attachment failure.", http: 400 },
  "100/2018109": { text: "Attachment size exceeds allowable limit", http: 400 },
  "100/2018218": { text: "Cannot find the user's profile", http: 400 },
  "104": { text: "An access token is required to request this resource.", http: 401 },
  "190": { text: "Invalid OAuth access token - Cannot parse access token", http: 401 },
  "200": { text: "Requires permission", http: 403 },
  "230": { text: "User consent is required to access user profile", http: 403 },
  "368": {
    text: "The action attempted has been deemed abusive or is otherwise disallowed",
    http: 400,
  },
  "551/1545041": { text: "This person isn't available right now.", http: 400 },
  "613": { text: "Calls to this api have exceeded the rate limit.", http: 400 },
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

/** The Graph API's error envelope. `status` replaces the code's own HTTP status. */
export function refusalAnswer(refusal: PageRefusal, status: number | undefined): Answer {
  const { code, subcode, text } = refusal;
  const known = KNOWN[`${code}/${subcode}`] ?? KNOWN[String(code)];
  const words = text ?? known?.text ?? "Unknown error";
  const throttled = [4, 17, 32, 613].includes(code);
  return json(
    status ?? known?.http ?? 400,
    {
      error: {
        message: code === 190 || code === 104 ? words : `(#${code}) ${words}`,
        type: "OAuthException",
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(known?.transient ? { is_transient: true } : {}),
        fbtrace_id: `A${randomBytes(16).toString("base64url")}`,
      },
    },
    usage(throttled ? 100 : 1),
  );
}

/** Rate limits carry percentages, never a Retry-After. */
export const usage = (percent: number): Record<string, string> => ({
  "x-app-usage": JSON.stringify({ call_count: percent, total_cputime: 1, total_time: 1 }),
});

import { json, type Answer } from "../core/server.ts";

const KNOWN: Readonly<Record<number, readonly [status: number, message: string]>> = {
  20003: [401, "Authenticate"],
  20404: [404, "The requested resource was not found"],
  20429: [429, "Too Many Requests"],
  20500: [500, "An internal server error has occurred"],
  20503: [503, "Service unavailable"],
  21211: [400, "The 'To' number is not a valid phone number."],
  21408: [
    400,
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number.",
  ],
  21602: [400, "Message body is required."],
  21212: [400, "The 'From' number is not a valid phone number."],
  21603: [400, "A 'From' phone number is required."],
  21604: [400, "A 'To' phone number is required."],
  21606: [
    400,
    "The 'From' phone number provided is not a valid, message-capable Twilio phone number for this destination.",
  ],
  21609: [400, "The 'StatusCallback' URL is not a valid URL."],
  21610: [400, "Attempt to send to unsubscribed recipient"],
  21611: [429, "The 'From' number has exceeded the maximum number of queued messages"],
  21612: [
    400,
    "The message cannot be routed with the current combination of 'To' and 'From' parameters.",
  ],
  21614: [400, "'To' number is not a valid mobile number"],
  21617: [400, "The concatenated message body exceeds the 1600 character limit."],
  21701: [404, "The Messaging Service does not exist"],
};

/** A refused call. */
export class TwilioRefusal extends Error {
  readonly code: number;
  readonly status: number | undefined;
  constructor(code: number, message?: string, status?: number) {
    super(message ?? KNOWN[code]?.[1] ?? "Unknown error");
    this.code = code;
    this.status = status;
  }
}

/** The API's error document. */
export function twilioError(
  refusal: TwilioRefusal,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const status = refusal.status ?? KNOWN[refusal.code]?.[0] ?? 400;
  return json(
    status,
    {
      code: refusal.code,
      message: refusal.message,
      more_info: `https://www.twilio.com/docs/errors/${refusal.code}`,
      status,
    },
    { ...headers },
  );
}

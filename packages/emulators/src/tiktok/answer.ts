import { randomInt } from "node:crypto";
import { json, type Answer } from "../core/server.ts";

const WORDS: Readonly<Record<number, string>> = {
  40001: "No permission to operate on this account.",
  40002: "Invalid parameter.",
  40007: "The object does not exist.",
  40050: "Duplicated request.",
  40100: "Too many requests. Please retry later.",
  40102: "Access token is expired.",
  40103: "Refresh token is expired.",
  40104: "Access token is empty.",
  40105: "Access token is incorrect or has been revoked.",
  40107: "Refresh token is invalid.",
  40132: "The request frequency is limited.",
  41000: "The account is blocked.",
  50000: "System error.",
  50002: "Service timeout.",
  60001: "The service is under maintenance.",
  61000: "Too many requests.",
};

/** A refusal: HTTP 200 all the same, its code in the body. */
export class TikTokRefusal extends Error {
  readonly code: number;
  readonly status: number;
  constructor(code: number, details?: string, status = 200) {
    super(details ?? WORDS[code] ?? "Error.");
    this.code = code;
    this.status = status;
  }
}

/** `20251121101530` and eleven digits: the form of the platform's request ids. */
function requestId(at: number): string {
  const time = new Date(at).toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return time + String(randomInt(10 ** 11)).padStart(11, "0");
}

export function success(at: number, data: object): Answer {
  return json(200, { code: 0, message: "OK", request_id: requestId(at), data });
}

export function refusal(
  at: number,
  error: TikTokRefusal,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const body = { code: error.code, message: error.message, request_id: requestId(at), data: {} };
  return json(error.status, body, { ...headers });
}

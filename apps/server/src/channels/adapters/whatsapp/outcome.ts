import type { HttpResponse } from "../../../lib/http.ts";
import type { FailedOutcome, SendOutcome } from "../../adapter.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { idOrNull, record, records } from "../meta/json.ts";
import { outcomeOfGraphFailure } from "../meta/outcome.ts";
import { storedWhatsAppCode, meaningOfWhatsAppCode } from "./codes.ts";

export { outcomeOfNoAnswer } from "../no-answer.ts";

/** What a refusal of the Cloud API means (channels.md §2.12). */
export function outcomeOfWhatsAppFailure(response: HttpResponse, secret: string): FailedOutcome {
  return outcomeOfGraphFailure(response, secret, {
    meaningOf: meaningOfWhatsAppCode,
    storedCode: storedWhatsAppCode,
  });
}

/** The outcome of a send that was answered. 200 without a message id proves nothing, so it is `unknown`. */
export function outcomeOfWhatsAppSend(response: HttpResponse, secret: string): SendOutcome {
  if (response.status < 200 || response.status >= 300)
    return outcomeOfWhatsAppFailure(response, secret);
  const answer = readGraphAnswer(response);
  const externalId = idOrNull(records(answer?.["messages"])[0]?.["id"]);
  if (externalId === null) {
    if (Object.hasOwn(record(answer?.["error"]), "code"))
      return outcomeOfWhatsAppFailure(response, secret);
    const detail = "the platform answered 200 without a message id";
    return { ok: false, reason: "unknown", code: "NO_MESSAGE_ID", detail };
  }
  const contact = records(answer?.["contacts"])[0];
  const userId = idOrNull(contact?.["user_id"]);
  const recipientId = idOrNull(contact?.["wa_id"]) ?? userId;
  const alternateId = userId === recipientId ? null : userId;
  return {
    ok: true,
    externalId,
    ...(recipientId !== null && { recipientId }),
    ...(alternateId !== null && { alternateId }),
  };
}

import { AppError } from "../../errors.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { findMessage } from "../../messages/record/find-message.ts";
import { presentMessage } from "../../messages/record/message.ts";
import type { Call } from "./route.ts";
import type { MessageAcceptedJson, NewMessage } from "../../wire/message.ts";

const present = ({ id, status }: MessageAcceptedJson) => JSON.stringify({ id, status });

/** POST /v1/messages */
export async function postMessage({
  context,
  principal,
  actor,
  body,
  once,
}: Call<unknown, NewMessage>): Promise<string> {
  const { conversationId, text } = body;
  const input = { conversationId, text };
  const keep = once(present).within;
  return present(await acceptMessage(actor, context, principal.workspaceId, input, { keep }));
}

/** GET /v1/messages/{id} */
export async function getMessage({ context, principal, params }: Call): Promise<string> {
  const message = await findMessage(context, principal.workspaceId, params["id"] ?? "");
  if (!message) throw new AppError("NOT_FOUND");
  return JSON.stringify(presentMessage(message));
}

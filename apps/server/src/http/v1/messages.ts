import { Type, type Static } from "typebox";
import { keyActor } from "../../api-keys/api-key.ts";
import { AppError } from "../../errors.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { findMessage } from "../../messages/record/find-message.ts";
import { presentMessage } from "../../messages/record/message.ts";
import type { Call } from "./route.ts";
import { ID, id, NO_NUL } from "./shapes.ts";

export const NewMessage = Type.Object(
  {
    conversationId: Type.String({
      minLength: 1,
      ...NO_NUL,
      description: "The conversation to answer in. An unknown one is 400 `CONVERSATION_NOT_FOUND`.",
    }),
    text: Type.String({
      minLength: 1,
      maxLength: 4096,
      ...NO_NUL,
      description: "What the customer reads.",
    }),
  },
  { $id: "NewMessage", description: "A reply inside a conversation." },
);

export const MessageAccepted = Type.Object(
  {
    id: id("The message's id."),
    status: Type.String({
      description:
        "`sent`, or `failed` where the reply window is closed (code 131047). Later changes come as `message.status` events.",
    }),
  },
  { $id: "MessageAccepted", description: "The reply is stored and goes out." },
);

export const newMessageExample = {
  conversationId: ID,
  text: "Hello Sara, your order is on its way.",
};
export const messageAcceptedExample = { id: ID, status: "sent" };

const present = ({ id, status }: { id: string; status: string }) => JSON.stringify({ id, status });

/** POST /v1/messages */
export async function postMessage({
  context,
  principal,
  body,
  once,
}: Call<unknown, Static<typeof NewMessage>>): Promise<string> {
  const { conversationId, text } = body;
  const input = { conversationId, text };
  return present(
    await acceptMessage(keyActor(principal), context, principal.workspaceId, input, once(present)),
  );
}

/** GET /v1/messages/{id} */
export async function getMessage({ context, principal, params }: Call): Promise<string> {
  const message = await findMessage(context, principal.workspaceId, params["id"] ?? "");
  if (!message) throw new AppError("NOT_FOUND");
  return JSON.stringify(presentMessage(message));
}

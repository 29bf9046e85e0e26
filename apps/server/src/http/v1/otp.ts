import { keyActor } from "../../api-keys/api-key.ts";
import type { Principal } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { recoverOtp } from "../../otp/recover-otp.ts";
import { sendOtp } from "../../otp/send-otp.ts";
import type { Call } from "./route.ts";
import type { NewOtp } from "../../wire/otp.ts";

/** POST /v1/otp/send */
export async function postOtp({
  context,
  principal,
  body,
  begun,
}: Call<unknown, NewOtp>): Promise<string> {
  const input = { mobile: body.mobile, message: body.message, lang: body.lang ?? ("E" as const) };
  return JSON.stringify(
    await sendOtp(keyActor(principal), context, principal.workspaceId, input, begun()),
  );
}

/** The outcome of a send whose first call never answered. */
export async function recoverOtpCall(
  context: Context,
  { workspaceId }: Principal,
  requestId: string,
): Promise<string | null> {
  const result = await recoverOtp(context, workspaceId, requestId);
  return result && JSON.stringify(result);
}

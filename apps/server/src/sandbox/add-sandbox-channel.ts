import { randomBytes, randomInt } from "node:crypto";
import type { Channel } from "../channels/channel.ts";
import { connectChannel } from "../channels/connect-channel.ts";
import type { Context } from "../context.ts";

/** Where the emulator is not running yet: the discard port, which refuses. The sandbox moves it at its next look. */
export const NOWHERE = "http://127.0.0.1:9";

/**
 * Connects a made-up WhatsApp number that talks to the emulator instead of the platform. Counts as a channel of the
 * plan. Errors: as `connectChannel`.
 */
export function addSandboxChannel(
  context: Pick<Context, "db" | "clock" | "ids" | "sealer" | "wake">,
  workspaceId: string,
  input: { readonly type: "WHATSAPP"; readonly name?: string },
): Promise<Channel> {
  const digits = () => `1${Array.from({ length: 14 }, () => randomInt(10).toString()).join("")}`;
  const token = () => `sandbox-${randomBytes(18).toString("base64url")}`;
  return connectChannel(context, workspaceId, {
    type: input.type,
    name: input.name ?? "WhatsApp sandbox",
    phoneNumberId: digits(),
    wabaId: digits(),
    accessToken: token(),
    appSecret: token(),
    verifyToken: token(),
    apiUrl: NOWHERE,
    sandbox: true,
  });
}

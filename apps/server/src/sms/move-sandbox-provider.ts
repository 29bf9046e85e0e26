import type { Context } from "../context.ts";
import { writeSandboxUrl } from "./sms-provider-store.ts";

/** Stores where the emulator of a sandbox account listens now. Leaves an account of a real gateway alone. */
export function moveSandboxProvider(
  context: Pick<Context, "db">,
  workspaceId: string,
  providerId: string,
  apiUrl: string,
): Promise<void> {
  return writeSandboxUrl(context.db, workspaceId, providerId, apiUrl);
}

import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { LoadedAccount } from "./load-accounts.ts";
import { selectLogo } from "./web-logo-store.ts";
import type { WebLogo } from "./web-logo.ts";

/** The picture in the head of a chat window, by the digest in its address. Throws NOT_FOUND, also for a former picture. */
export async function findLogo(
  { db }: Pick<Context, "db">,
  { workspaceId, channelId }: Pick<LoadedAccount, "workspaceId" | "channelId">,
  digest: string,
): Promise<WebLogo> {
  const logo = await selectLogo(db, workspaceId, channelId, digest);
  if (logo === null) throw new AppError("NOT_FOUND", { explanation: "no such logo" });
  return logo;
}

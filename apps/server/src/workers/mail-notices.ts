import type { Context } from "../context.ts";
import { createMailer, mailNotices } from "../workspaces/mail-notices.ts";
import type { Worker } from "./worker.ts";

/** Mails what admins are to be told; logs it when no mail server is set. */
export function createMailNoticesWorker(context: Context): Worker {
  const { smtpUrl } = context.config;
  const send = smtpUrl === undefined ? null : createMailer(smtpUrl);
  return {
    name: "mail-notices",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: () => mailNotices(context, send),
  };
}

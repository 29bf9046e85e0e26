import type { Context } from "../context.ts";
import { mailLetters, passOnResets } from "../sessions/reset-by-mail.ts";
import { createMailer, mailNotices } from "../workspaces/mail-notices.ts";
import type { Worker } from "./worker.ts";

/**
 * Mails notices to admins, and links to persons. Without a mail server notices are logged, and owners and admins hear who
 * asked for a new password.
 */
export function createMailNoticesWorker(context: Context): Worker {
  const { smtpUrl } = context.config;
  const send = smtpUrl === undefined ? null : createMailer(smtpUrl);
  return {
    name: "mail-notices",
    queue: "housekeeping",
    pollMs: 5_000,
    async runOnce() {
      const letters = await (send === null ? passOnResets(context) : mailLetters(context, send));
      return letters + (await mailNotices(context, send));
    },
  };
}

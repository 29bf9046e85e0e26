import type { Transporter } from "nodemailer";
import type { Context } from "../context.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { claimNotices, finishNotice, type DueNotice } from "./notice-store.ts";

export { dropMails } from "./notice-store.ts";

const BATCH = 20;
/** Longer than one mail may take (`TIMEOUT_MS`), so that no other worker mails it meanwhile. */
const LEASE_MS = 120_000;
const TIMEOUT_MS = 20_000;
/** Minutes to wait after each failed attempt. After the last one the notice is only shown in the app. */
const RETRY_MINUTES = [1, 5, 20, 60, 240];

/** Hands one mail to the mail server. Throws when the server did not accept it. */
export type SendMail = (mail: { to: string[]; subject: string; text: string }) => Promise<void>;

/**
 * Mails each due notice at least once, and returns how many it handled. Without `send` (no SMTP_URL) each becomes one
 * log line. A notice is tried six times at most, over five and a half hours.
 */
export async function mailNotices(
  context: Pick<Context, "db" | "clock" | "log">,
  send: SendMail | null,
): Promise<number> {
  const now = context.clock.now();
  const due = await claimNotices(context.db, now, new Date(now.getTime() + LEASE_MS), BATCH);
  await Promise.all(due.map((notice) => mailOne(context, send, notice)));
  return due.length;
}

async function mailOne(
  context: Pick<Context, "db" | "clock" | "log">,
  send: SendMail | null,
  notice: DueNotice,
): Promise<void> {
  const facts = { workspaceId: notice.workspace_id, noticeId: notice.id, kind: notice.kind };
  if (!send || notice.recipients.length === 0) {
    context.log.warn(facts, `notice to admins: ${notice.subject}`);
    return finishNotice(context.db, notice, null);
  }
  try {
    await send({ to: notice.recipients, subject: notice.subject, text: notice.body });
    await finishNotice(context.db, notice, null);
  } catch (error) {
    const minutes = RETRY_MINUTES[notice.mail_attempts - 1];
    const dueAt =
      minutes === undefined ? null : new Date(context.clock.now().getTime() + minutes * 60_000);
    const { reason, ...told } = describeForLog(error);
    const words = typeof reason === "string" ? without(reason, notice.recipients) : undefined;
    context.log.warn(
      { ...facts, attempt: notice.mail_attempts, ...told, reason: words },
      dueAt ? "mail to admins failed, will be tried again" : "mail to admins given up",
    );
    await finishNotice(context.db, notice, dueAt);
  }
}

/** A sender for an SMTP address ("smtp://user:pass@host:port?from=Parley%20<parley@example.com>"). */
export function createMailer(smtpUrl: string): SendMail {
  const url = new URL(smtpUrl);
  const from = url.searchParams.get("from") ?? `Parley <parley@${url.hostname}>`;
  let transport: Promise<Transporter> | undefined;
  return async (mail) => {
    try {
      const server = await (transport ??= reach(url));
      await server.sendMail({ from, to: mail.to, subject: mail.subject, text: mail.text });
    } catch (error) {
      throw new Error(wordsOf(error, url));
    }
  };
}

/** The mail server's words about a failure, without the login: some servers repeat what they refuse. */
function wordsOf(error: unknown, { username, password }: URL): string {
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const told = [base64(`\0${user}\0${pass}`), base64(pass), base64(user), pass];
  return without(error instanceof Error ? error.message : String(error), told);
}

/** The words of a failure, with "…" in place of all texts that must not be in a log. */
export function without(words: string, told: readonly string[]): string {
  return told.reduce((rest, one) => (one === "" ? rest : rest.replaceAll(one, "…")), words);
}

/**
 * Checks, without sending a mail, whether the mail server can be reached and accepts our name and password. Null when
 * it does, or when no server is set. Otherwise it is a sentence for the operator, who would notice only when the first
 * notice is lost.
 */
export async function mailFault(smtpUrl: string | undefined): Promise<string | null> {
  if (smtpUrl === undefined) return null;
  const url = new URL(smtpUrl);
  const transport = await reach(url);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return `SMTP_URL: ${wordsOf(error, url)}`;
  } finally {
    transport.close();
  }
}

/** The mail server's library is read only where mail is sent: a server without SMTP_URL starts without it. */
async function reach(url: URL): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host: url.hostname,
    port: Number(url.port) || (url.protocol === "smtps:" ? 465 : 587),
    secure: url.protocol === "smtps:",
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

import { SYSTEM } from "../actor.ts";
import type { Context } from "../context.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { AppError, invalid } from "../errors.ts";
import { findLogin } from "../logins/login.ts";
import { makeReset } from "../logins/password-reset.ts";
import { queueLetter, sendLetters, type Letter } from "../workspaces/letter.ts";
import { membersOfLogin } from "../workspaces/list-members.ts";
import { without, type SendMail } from "../workspaces/mail-notices.ts";
import { notifyLeaders } from "../workspaces/member-notice.ts";
import { normalEmail } from "../workspaces/member.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { invitationText, resetText } from "./letter-text.ts";
import { securityText } from "./security-text.ts";

/** Requests from one network in ten minutes, for any addresses. */
const PER_NETWORK = { limit: 10, windowMs: 600_000 } as const;
/** Requests for one address in an hour, from anywhere, so that nobody's mailbox is filled. */
const PER_ADDRESS = { limit: 5, windowMs: 3_600_000 } as const;

/** Whether links for a new password are sent by mail here. */
export const resetsByMail = ({ config }: Pick<Context, "config">): boolean =>
  config.smtpUrl !== undefined;

/**
 * Asks for a new password: by mail, or without a mail server of the owners and admins. It stores one row whether the
 * address is known or not, so neither the answer nor its time shows which; a worker looks the address up. Throws
 * VALIDATION_FAILED, RATE_LIMITED.
 */
export const askForReset = write(
  "login.ask_for_reset",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "rateLimits" | "sealer">,
    input: { readonly email: string; readonly locale: "en" | "ar"; readonly network: string },
  ): Promise<void> => {
    const email = normalEmail(input.email);
    if (email === null) throw invalid("email", "must be an e-mail address");
    for (const [key, rule] of [
      [`reset:${input.network}`, PER_NETWORK],
      [`reset:to:${email}`, PER_ADDRESS],
    ] as const) {
      const { allowed, resetMs } = await context.rateLimits.take(key, rule);
      if (!allowed)
        throw new AppError("RATE_LIMITED", { retryAfterSeconds: Math.ceil(resetMs / 1000) });
    }
    const { locale } = input;
    await context.db.transaction((tx) =>
      queueLetter(actor, context, tx, { kind: "reset", email, locale }),
    );
  },
);

/** Makes the secret for a mailed link. Null: nobody has the address. An older link stops working. */
export const makeMailedReset = write(
  "login.mail_reset",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    email: string,
  ): Promise<string | null> =>
    context.db.transaction(async (tx) => {
      const login = await findLogin(tx, email);
      if (!login) return null;
      const { secret } = await makeReset(context, tx, { loginId: login.id, maker: null });
      for (const { workspaceId, id } of await membersOfLogin(tx, login.id))
        await audit(actor, context, tx, workspaceId, {
          action: "login.reset_mailed",
          subject: id,
        });
      return secret;
    }),
);

/** Mails the letters that are due; gives how many. */
export function mailLetters(
  context: Pick<Context, "db" | "clock" | "ids" | "config" | "log" | "sealer">,
  send: SendMail,
): Promise<number> {
  return sendLetters(
    context,
    async (letter) => {
      const mail = await composed(context, letter);
      if (mail) await send({ to: [letter.email], ...mail });
    },
    (error, attempt, email) => {
      const { reason, ...told } = describeForLog(error);
      const words = typeof reason === "string" ? without(reason, [email]) : undefined;
      context.log.warn({ attempt, ...told, reason: words }, "a mail to a person failed");
    },
  );
}

/** Without a mail server: notifies those who may make a link. Gives how many requests there were. */
export const passOnResets = (
  context: Pick<Context, "db" | "clock" | "ids" | "log" | "sealer" | "topics">,
): Promise<number> =>
  sendLetters(
    context,
    async (letter) => {
      if (letter.kind === "reset") await notifyOf(context, letter.email);
    },
    (error, attempt) =>
      context.log.warn(
        { attempt, ...describeForLog(error) },
        "a request for a new password was not passed on",
      ),
  );

const notifyOf = (
  context: Pick<Context, "db" | "clock" | "ids" | "topics">,
  email: string,
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const login = await findLogin(tx, email);
    const members = login ? await membersOfLogin(tx, login.id) : [];
    for (const { workspaceId, id, name } of members)
      await notifyLeaders(
        context,
        tx,
        workspaceId,
        {
          subject: name,
          body: `${name} needs a new password.`,
          ref: "/settings/team",
          facts: { outcome: "reset_asked", name },
        },
        id,
      );
  });

async function composed(context: Pick<Context, "db" | "clock" | "ids" | "config">, letter: Letter) {
  const { publicUrl } = context.config;
  if (letter.kind === "invitation")
    return invitationText(
      letter.locale,
      letter.workspaceName,
      `${publicUrl}/invite/${letter.secret}`,
    );
  if (letter.kind === "security") return securityText(letter.locale, letter.about, publicUrl);
  const secret = await makeMailedReset(SYSTEM, context, letter.email);
  return secret === null ? null : resetText(letter.locale, `${publicUrl}/reset/${secret}`);
}

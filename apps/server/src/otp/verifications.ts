import { actorName } from "../actor.ts";
import type { Context } from "../context.ts";
import { recipientDigits } from "../contacts/record/contact-input.ts";
import { countryOfNumber } from "../contacts/identity/local-phone.ts";
import { isPassingFault } from "../db/passing-fault.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { verifications } from "../operations/verifications.ts";
import { RECIPIENT } from "../wire/contact.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { keeping, perform } from "../write.ts";
import { chooseCodeTemplate, sendCodeTemplate } from "./send-code-template.ts";
import { sendPasscode } from "./send-otp.ts";
import {
  codeFault,
  codeMac,
  codeText,
  isCode,
  MOST_TRIES,
  newCode,
  presentVerification,
  type Verification,
} from "./verification.ts";
import {
  lockVerified,
  lockVerification,
  replaceVerification,
  selectVerification,
  writeVerification,
} from "./verification-store.ts";

const DEFAULTS = { codeLength: 6, ttlSeconds: 600, channel: "sms" } as const;

/**
 * Makes a code, sends it by the workspace's SMS gateway or by WhatsApp, and keeps a hash of it. The verification is stored, and its answer
 * kept, in the transaction that begins the send; a refusal of the gateway is stored after it. Throws VALIDATION_FAILED,
 * OTP_COUNTRY_REFUSED, OTP_NUMBER_LIMITED, and as `sendOtp` or `sendCodeTemplate`; TEMPLATE_NOT_APPROVED without a
 * template for WhatsApp.
 */
export const startVerification = perform(
  verifications.startVerification,
  async (actor, context: Context, workspaceId, input, { keep }) => {
    const { codeLength, ttlSeconds, channel } = { ...DEFAULTS, ...input };
    const mobile = recipientDigits(input.to);
    if (mobile === null) throw invalid("to", RECIPIENT["x-fault"]);
    const workspace = await findWorkspace(context, workspaceId);
    await checkCountry(workspace, mobile);
    const code = newCode(codeLength);
    const locale = input.locale ?? workspace?.locale ?? "en";
    const minutes = Math.ceil(ttlSeconds / 60);
    const preferred = workspace?.locale ?? "en";
    const template =
      channel === "whatsapp"
        ? await chooseCodeTemplate(context, workspaceId, { locale: input.locale, preferred })
        : null;
    const message = codeText(locale, { code, name: workspace?.name ?? "", minutes });
    const createdAt = context.clock.now();
    const begun = (requestId: string): Verification => {
      const key = { workspaceId, id: context.ids.next() };
      return {
        ...key,
        requestId,
        mobile,
        channel,
        purpose: input.purpose ?? null,
        status: "pending",
        codeMac: codeMac(context, key, code),
        codeLength,
        tries: 0,
        errorCode: null,
        author: actorName(actor),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + ttlSeconds * 1_000),
        endedAt: null,
      };
    };
    let refused: string | undefined;
    const kept = await keeping(
      keep,
      async ({ id: requestId }: { readonly id: string }, tx) => {
        const verification = begun(requestId);
        await checkNumber(tx, verification);
        await replaceVerification(tx, verification);
        return presentVerification(verification, createdAt);
      },
      async (within) => {
        const lang = locale === "ar" ? "A" : "E";
        const sent = template
          ? await sendCodeTemplate(actor, context, template, { mobile, code }, within)
          : await sendPasscode(actor, context, workspaceId, { mobile, message, lang }, { within });
        // After a lost answer the message may have been sent, so the code stays valid.
        if (!sent.sent && sent.errorCode !== "GATEWAY_TIMEOUT") refused = sent.errorCode;
      },
    );
    if (refused === undefined) return kept;
    const errorCode = refused;
    try {
      return await context.db.transaction(async (tx) => {
        const now = context.clock.now();
        const one = await lockFound(tx, workspaceId, kept.answer.id);
        const failed = one.status === "pending" ? ended(one, "failed", now, { errorCode }) : one;
        await writeVerification(tx, failed);
        return keep(tx, presentVerification(failed, now));
      });
    } catch (error) {
      // The database is away: what began was kept, and the passcode's record has the outcome.
      if (!isPassingFault(error)) throw error;
      return kept;
    }
  },
);

/** One verification, without its code. Throws NOT_FOUND. */
export const readVerification = perform(
  verifications.readVerification,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId, { id }) => {
    const one = isId(id) ? await selectVerification(context.db, workspaceId, id) : undefined;
    if (!one) throw missing();
    return presentVerification(one, context.clock.now());
  },
);

/**
 * Compares what a person typed. Checks of one verification wait for each other, so exactly five may be wrong and one can
 * approve. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE when it was approved before, and VALIDATION_FAILED for what cannot be its code,
 * which is no try.
 */
export const checkVerification = perform(
  verifications.checkVerification,
  (
    _actor,
    context: Pick<Context, "db" | "clock" | "sealer">,
    workspaceId,
    { id, code },
    { keep },
  ) =>
    context.db.transaction(async (tx) => {
      const one = await lockFound(tx, workspaceId, id);
      const now = context.clock.now();
      if (one.status === "approved")
        throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "it was approved before" });
      const next = judge(context, one, code, now);
      if (next !== one) await writeVerification(tx, next);
      // The last wrong code is answered as the ones before it: what was compared, and that no try is left.
      const compared = next.tries > one.tries;
      return keep(tx, presentVerification(compared ? { ...one, tries: next.tries } : next, now));
    }),
);

/** Ends a pending verification; one that has ended stays as it is. Throws NOT_FOUND. */
export const cancelVerification = perform(
  verifications.cancelVerification,
  (_actor, context: Pick<Context, "db" | "clock">, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      const one = await lockFound(tx, workspaceId, id);
      const now = context.clock.now();
      const open = one.status === "pending" && now < one.expiresAt;
      const next = open ? ended(one, "canceled", now) : one;
      if (next !== one) await writeVerification(tx, next);
      return keep(tx, presentVerification(next, now));
    }),
);

/** A verification after a check. */
function judge(
  context: Pick<Context, "sealer">,
  one: Verification,
  typed: string,
  now: Date,
): Verification {
  if (one.status !== "pending") return one;
  if (now >= one.expiresAt) return ended(one, "expired", one.expiresAt);
  // Stored by version 1.0, which ended it with the sixth check.
  if (one.tries >= MOST_TRIES) return ended(one, "exhausted", now);
  const fault = codeFault(one, typed);
  if (fault !== null) throw invalid("code", fault);
  if (isCode(context, one, typed)) return ended(one, "approved", now);
  const wrong = { ...one, tries: one.tries + 1 };
  return wrong.tries < MOST_TRIES ? wrong : ended(wrong, "exhausted", now);
}

const ended = (
  one: Verification,
  status: Verification["status"],
  endedAt: Date,
  more: Partial<Verification> = {},
): Verification => ({ ...one, status, endedAt, codeMac: null, ...more });

const missing = () => new AppError("NOT_FOUND", { explanation: "no verification has this id" });

async function lockFound(tx: Tx, workspaceId: string, id: string): Promise<Verification> {
  const one = isId(id) ? await lockVerification(tx, workspaceId, id) : undefined;
  if (!one) throw missing();
  return one;
}

async function checkCountry(workspace: Workspace | null, mobile: string): Promise<void> {
  const allowed = workspace?.otpCountries ?? null;
  if (allowed === null) return;
  const country = await countryOfNumber(mobile);
  if (country === null || !allowed.includes(country))
    throw new AppError("OTP_COUNTRY_REFUSED", {
      explanation: `the workspace sends codes to numbers of ${allowed.join(", ")}`,
    });
}

/** A number gets one code in 30 seconds; one that was refused reached no phone, so another way may be tried at once. */
const BETWEEN_MS = 30_000;
/** And so many in ten minutes, refused ones too: a program cannot ask the gateway without end about a number. */
const MOST = 5;
const WINDOW_MS = 600_000;

/** Throws OTP_NUMBER_LIMITED where the number got a code a moment ago, or many. Two starts for a number wait for each other. */
async function checkNumber(
  tx: Tx,
  { workspaceId, mobile, createdAt }: Pick<Verification, "workspaceId" | "mobile" | "createdAt">,
): Promise<void> {
  const now = createdAt.getTime();
  const past = await lockVerified(tx, workspaceId, mobile, new Date(now - WINDOW_MS), MOST);
  const last = past.find(({ refused }) => !refused)?.at.getTime() ?? 0;
  const oldest = past[MOST - 1]?.at.getTime();
  const free = Math.max(last + BETWEEN_MS, oldest === undefined ? 0 : oldest + WINDOW_MS);
  if (free > now)
    throw new AppError("OTP_NUMBER_LIMITED", {
      explanation: `a number gets one code in ${BETWEEN_MS / 1_000} seconds and ${MOST} in ${WINDOW_MS / 60_000} minutes, over all channels and purposes`,
      retryAfterSeconds: Math.max(1, Math.ceil((free - now) / 1_000)),
    });
}

import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { presentProvider } from "./find-provider.ts";
import { toDigits } from "./mobile.ts";
import type { SmsErrorCode, SmsLines } from "./provider.ts";
import { smsProviderFor } from "./registry.ts";
import { openAccount, type WorkspaceSmsProvider } from "./sms-provider.ts";
import {
  markVerified,
  selectByWorkspace,
  selectUnverified,
  replaceVerified,
} from "./sms-provider-store.ts";
import { write } from "../write.ts";

export type TestResult =
  | { readonly sent: true; readonly provider: WorkspaceSmsProvider }
  | { readonly sent: false; readonly errorCode: SmsErrorCode; readonly error: string };

const TEXT = "This is a test from Parley. Your SMS account works.";

const findRow = async ({ db }: Pick<Context, "db">, workspaceId: string) =>
  isId(workspaceId) ? selectByWorkspace(db, workspaceId) : undefined;

/**
 * Sends a real SMS to a number, over the account that waits for its test, otherwise over the present one. When the
 * gateway accepts it, the account is verified, and one that waited replaces the present one. Costs no credits. A
 * refusal by the gateway is a value, not an error, and leaves the present account as it is. Throws NOT_FOUND when no account is set, VALIDATION_FAILED for
 * the number, CONFLICT when the account was changed meanwhile.
 */
export const testProvider = write(
  "sms_provider.test",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "config"> & SmsLines,
    workspaceId: string,
    to: string,
  ): Promise<TestResult> => {
    const waiting = isId(workspaceId) ? await selectUnverified(context.db, workspaceId) : undefined;
    const row = waiting ?? (await findRow(context, workspaceId));
    if (!row) throw new AppError("NOT_FOUND", { explanation: "no SMS provider is set" });
    const mobile = toDigits(to);
    if (mobile === null) throw invalid("to", "must be a phone number with its country code");
    const outcome = await smsProviderFor(row.provider).send(context, openAccount(context, row), {
      id: context.ids.next(),
      to: mobile,
      text: TEXT,
      lang: "E",
    });
    const entry = (errorCode: SmsErrorCode | null): AuditEntry => ({
      action: "sms_provider.tested",
      subject: row.id,
      facts: { provider: row.provider, errorCode },
    });
    if (!outcome.ok) {
      await context.db.transaction((tx) =>
        audit(actor, context, tx, workspaceId, entry(outcome.smsCode)),
      );
      const error = `${outcome.code} ${outcome.detail}`.trim();
      return { sent: false, errorCode: outcome.smsCode, error };
    }
    const verified = await context.db.transaction(async (tx) => {
      await audit(actor, context, tx, workspaceId, entry(null));
      const verify = waiting ? replaceVerified : markVerified;
      return verify(tx, workspaceId, row.updatedAt, context.clock.now());
    });
    if (!verified) {
      throw new AppError("CONFLICT", {
        explanation: "the SMS provider was changed during the test; test it again",
      });
    }
    return { sent: true, provider: presentProvider(verified) };
  },
);

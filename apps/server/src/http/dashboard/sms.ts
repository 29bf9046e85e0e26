import type { Context } from "../../context.ts";
import { isErasedNumber } from "../../contacts/identity/erased-number.ts";
import { listPasscodes } from "../../otp/list-passcodes.ts";
import type { OtpRecord } from "../../otp/otp-record.ts";
import { sendOtp } from "../../otp/send-otp.ts";
import { findNextProvider, findProvider } from "../../sms/find-provider.ts";
import { SMS_PROVIDERS, type SmsProviderName } from "../../wire/words.ts";
import { smsProviderFor } from "../../sms/registry.ts";
import { discardProvider, setProvider } from "../../sms/set-provider.ts";
import type { WorkspaceSmsProvider } from "../../sms/sms-provider.ts";
import { testProvider } from "../../sms/test-provider.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { AppError } from "../../errors.ts";
import type { sms, SmsAccountJson, SmsGateway } from "./contract/sms.ts";
import type { Handlers } from "./handlers.ts";

/** The workspace's SMS account (contract/sms.ts), through the operations that the command line calls too. */
export const smsHandlers: Handlers<typeof sms> = {
  async readSms(context, { caller: { workspaceId } }) {
    const [account, next, workspace] = await Promise.all([
      findProvider(context, workspaceId),
      findNextProvider(context, workspaceId),
      findWorkspace(context, workspaceId),
    ]);
    return {
      gateways: SMS_PROVIDERS.map(gatewayOf),
      account: account && presentAccount(context, account),
      next: next && presentAccount(context, next),
      credits: workspace?.smsCredits ?? null,
      otpPerNumber: workspace?.otpPerNumber ?? null,
    };
  },

  async setSms(context, { caller: { actor, workspaceId }, body }) {
    const { provider, fields, apiUrl } = body;
    const { receiptUrl, waits, ...account } = await setProvider(
      actor,
      context,
      workspaceId,
      { ...fields, provider, apiUrl },
      { keepSecrets: true },
    );
    return { account: presentAccount(context, account), waits, receiptUrl: receiptUrl ?? null };
  },

  async discardSms(context, { caller: { actor, workspaceId } }) {
    await discardProvider(actor, context, workspaceId);
    return {};
  },

  async setOtpLimit(context, { caller: { actor, workspaceId }, body }) {
    await updateWorkspace(actor, context, workspaceId, { otpPerNumber: body.perNumber });
    return {};
  },

  async sendPasscode(context, { caller: { actor, workspaceId }, body: { mobile, message } }) {
    // The script decides only how one gateway counts and encodes the text.
    const lang = /\p{Script=Arabic}/u.test(message) ? "A" : "E";
    const result = await sendOtp(actor, context, workspaceId, { mobile, message, lang });
    const { sent, errorCode = null, error = null } = result;
    return { sent, errorCode, error };
  },

  async listPasscodes(context, { caller: { workspaceId }, query: { before = null } }) {
    const { items, next } = await listPasscodes(context, workspaceId, before);
    return { items: items.map(presentPasscode), next };
  },

  async testSms(context, { caller: { actor, workspaceId }, body }) {
    const result = await testProvider(actor, context, workspaceId, body.to);
    const account = await findProvider(context, workspaceId);
    if (account === null) throw new AppError("NOT_FOUND");
    const shown = presentAccount(context, account);
    return result.sent
      ? { account: shown, sent: true, errorCode: null, error: null }
      : { account: shown, sent: false, errorCode: result.errorCode, error: result.error };
  },
};

function presentAccount(
  { config }: Pick<Context, "config">,
  { id, provider, apiUrl, settings, sandbox, verifiedAt }: WorkspaceSmsProvider,
): SmsAccountJson {
  return {
    provider,
    apiUrl,
    settings,
    sandbox,
    verifiedAt: verifiedAt?.toISOString() ?? null,
    inboundUrl: `${config.publicUrl}/hooks/sms/${id}`,
  };
}

function presentPasscode(record: OtpRecord) {
  const { id, mobile, status, segments, provider, author, errorCode, error, createdAt } = record;
  return {
    id,
    mobile: isErasedNumber(mobile) ? null : mobile,
    status,
    segments,
    provider,
    memberId: author?.startsWith("member:") ? author.slice("member:".length) : null,
    errorCode,
    error,
    createdAt: createdAt.toISOString(),
  };
}

function gatewayOf(provider: SmsProviderName): SmsGateway {
  const { defaultApiUrl, fields, receiptsByHand } = smsProviderFor(provider);
  return {
    provider,
    defaultApiUrl,
    receiptsByHand: receiptsByHand === true,
    fields: Object.entries(fields).map(([name, { goesTo, optional, words }]) => ({
      name,
      secret: goesTo === "secrets",
      required: optional !== true,
      words,
    })),
  };
}

import { createHash } from "node:crypto";
import type { HttpFailureKind } from "../../../lib/http.ts";
import type { Handover, NotSent, SmppPeer } from "../../../lib/smpp/link.ts";
import { countryCode, secret, sender } from "../../field-rule.ts";
import type { OutboundSms, SmsAccount, SmsLines, SmsOutcome, SmsProvider } from "../../provider.ts";
import { noAnswer, overlong, refusal, refusalOfPart, unreadable } from "../exchange.ts";
import { hex, meaningOfSmppStatus } from "./errors.ts";
import { partsOf } from "./parts.ts";
import { reportedId } from "./report.ts";

const MOST_PARTS = 10;
/** ESME_RALYBND. */
const ALREADY_BOUND = 0x05;

/**
 * SMPP 3.4 (channels §7.8). `apiUrl` is `smpp://host:2775`, or `smpps://host:3550` over TLS. Settings `systemId`,
 * `from`, optionally `systemType` and `receiptIds`; secret `password`. When a text has several parts, the last one
 * asks for a receipt, and its id is the message's: SMPP has no field for an id of ours. Receipts and inbound
 * messages come over the link.
 */
export const smpp: SmsProvider = {
  name: "smpp",
  defaultApiUrl: null,
  apiUrlSchemes: ["smpp:", "smpps:"],
  forcesUcs2: () => true,
  fields: {
    systemId: {
      goesTo: "settings",
      pattern: /^[\x21-\x7e]{1,15}$/,
      words: "must be the system id",
    },
    password: secret(),
    systemType: {
      goesTo: "settings",
      pattern: /^[\x21-\x7e]{1,12}$/,
      words: "must be 1 to 12 characters",
      optional: true,
    },
    from: { ...sender(), store: (from) => from.replace(/^\+(?=\d+$)/, "") },
    receiptIds: {
      goesTo: "settings",
      pattern: /^(same|decimal|hex)$/,
      words: "must be same, decimal or hex: what receipts have in place of the answered id",
      optional: true,
    },
    countryCode: countryCode(),
  },
  send,
  // SMPP never calls us over HTTP.
  verify: () => false,
  parse: () => ({ receipts: [], inbound: [] }),
};

/** The account in the form in which the process binds it. */
export function peerOf(account: SmsAccount): SmppPeer {
  const url = URL.parse(account.apiUrl);
  const tls = url?.protocol === "smpps:";
  const {
    systemId = "",
    systemType = "",
    receiptIds = "",
    countryCode: country = "",
  } = account.settings;
  const { workspaceId, providerId } = account;
  const peer = {
    // In a URL an IPv6 address stands in brackets, elsewhere it does not.
    host: (url?.hostname ?? "").replaceAll(/[[\]]/g, ""),
    port: Number(url?.port) || (tls ? 3550 : 2775),
    tls,
    systemId,
    systemType,
    password: account.secrets["password"] ?? "",
    owner: { workspaceId, providerId, receiptIds, countryCode: country },
    ...(account.guarded === true && { guarded: true }),
  };
  return { ...peer, key: createHash("sha256").update(JSON.stringify(peer)).digest("base64url") };
}

async function send(lines: SmsLines, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome> {
  const refused = overlong(sms, { parts: MOST_PARTS, ucs2: sms.lang === "A" });
  if (refused) return refused;
  const from = account.settings["from"] ?? "";
  const named = /\D/.test(from);
  const fields = {
    source_addr_ton: named ? 5 : 1,
    source_addr_npi: named ? 0 : 1,
    source_addr: from,
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: sms.to,
  };
  const handed = await lines.smpp.submit(peerOf(account), sms.id, (reference) => {
    const parts = partsOf(sms.text, reference, sms.lang === "A");
    return parts.map((part, index) => ({
      ...fields,
      ...part,
      registered_delivery: index === parts.length - 1 ? 1 : 0,
    }));
  });
  return outcomeOf(handed, { account, sms });
}

const NO_ANSWER = {
  TIMEOUT: "timeout",
  RESET: "reset",
  TLS: "tls",
  CONNECT: "connect",
  CLOSED: "aborted",
  BIND: "connect",
  BLOCKED: "blocked",
} as const satisfies Record<NotSent["code"], HttpFailureKind>;

/** Only the last handover can fail; the parts before it were accepted. */
function outcomeOf(
  handed: readonly Handover[],
  call: { readonly account: SmsAccount; readonly sms: OutboundSms },
): SmsOutcome {
  const last = handed.at(-1);
  if (!last) return unreadable();
  const taken = handed.length - 1;
  switch (last.kind) {
    case "lost":
      return noAnswer(last.code === "TIMEOUT" ? "timeout" : "reset", true);
    case "not_sent":
      if (last.bindStatus !== undefined) {
        const meaning = meaningOfSmppStatus(last.bindStatus);
        // Nothing of the account can be sent, whatever the reason. A temporary fault (0x8, 0x45) does not mean a
        // wrong password.
        const passing = meaning.scope === "account" || meaning.reason === "unreachable";
        const bind = passing
          ? { ...meaning, scope: "account" as const }
          : meaningOfSmppStatus(0x0d);
        const words =
          last.bindStatus === ALREADY_BOUND
            ? "the gateway refused to bind: the account has a link already, of this server or of another"
            : "the gateway refused to bind";
        return refusalOfPart(refusal(call, bind, hex(last.bindStatus), words), taken);
      }
      return refusalOfPart(noAnswer(NO_ANSWER[last.code], false, last.fault), taken);
    case "answered": {
      if (last.status === 0) {
        const { receiptIds } = call.account.settings;
        const externalId = reportedId(last.messageId, receiptIds);
        return last.messageId === "" ? unreadable() : { ok: true, externalId };
      }
      const meaning = meaningOfSmppStatus(last.status);
      const words = "the gateway refused";
      return refusalOfPart(refusal(call, meaning, hex(last.status), words), taken);
    }
  }
}

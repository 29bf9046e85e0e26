import { httpFor } from "../../lib/check-address.ts";
import { secret } from "../field-rule.ts";
import type {
  OutboundSms,
  SmsAccount,
  SmsLines,
  SmsOutcome,
  SmsProvider,
  SmsReceipt,
} from "../provider.ts";
import { countSegments } from "../segments.ts";
import {
  ask,
  membersOf,
  overlong,
  readJsonObject,
  refusal,
  retryAfterOf,
  takenAs,
  unreadable,
  wordOf,
} from "./exchange.ts";
import { meaningOfKwtSmsCode, meaningOfKwtSmsReport, WAITS } from "./kwtsms-errors.ts";
import { cleanText } from "./kwtsms-text.ts";
import { scopeOfReport, TEXT_REFUSED } from "./meaning.ts";

const MOST_PAGES = 6;

/**
 * kwtSMS (channels §7.6). Settings `username`, `from` (the sender, exactly as registered), secret `password`. The text
 * is cleaned first. kwtSMS takes no id of ours and calls nobody back: delivery reports are asked for (`lookUp`), and
 * exist only outside Kuwait.
 */
export const kwtsms: SmsProvider = {
  name: "kwtsms",
  defaultApiUrl: "https://www.kwtsms.com",
  fields: {
    username: { goesTo: "settings", pattern: /^[\x21-\x7e]{1,64}$/, words: "must be the API user" },
    password: secret(),
    from: {
      goesTo: "settings",
      pattern: /^[\x20-\x7e]{1,11}$/,
      words: "must be a registered sender of 1 to 11 characters; capitals matter",
    },
  },
  // Five calls a second of one address at most, questions for receipts included.
  gapMs: 350,
  forcesUcs2: () => true,
  clean: cleanText,
  send,
  lookUp,
  // Nothing of kwtSMS's calls in.
  verify: () => false,
  parse: () => ({ receipts: [], inbound: [] }),
};

async function send(lines: SmsLines, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome> {
  const text = cleanText(sms.text);
  const call = { account, sms };
  if (text === "")
    return refusal(call, TEXT_REFUSED, "TEXT_EMPTY", "nothing is left that kwtSMS can send");
  const refused = overlong({ text }, { parts: MOST_PAGES });
  if (refused) return refused;
  const arabic = sms.lang === "A" || countSegments(text).encoding === "UCS-2";
  const asked = await ask(httpFor(lines, account), {
    method: "POST",
    url: `${account.apiUrl}/API/send/`,
    headers: JSON_BOTH,
    body: JSON.stringify({
      ...credentialsOf(account),
      sender: account.settings["from"] ?? "",
      mobile: sms.to,
      message: text,
      // 1 English, 3 Arabic in UTF-8; never 2 (CP1256) or 4 (hexadecimal).
      lang: arabic ? "3" : "1",
    }),
  });
  if ("outcome" in asked) return asked.outcome;
  const { status: http, body } = asked.response;
  const answer = readJsonObject(body);
  const good = http >= 200 && http <= 299;
  if (answer["result"] === "OK" && good) {
    const id = wordOf(answer["msg-id"]);
    return takenAs(id);
  }
  const code = wordOf(answer["code"]);
  if (good && code === "") return unreadable();
  const wait = WAITS[code] ?? retryAfterOf(asked.response);
  const words = wordOf(answer["description"]);
  return refusal(call, meaningOfKwtSmsCode(code, http), code || `HTTP_${http}`, words, wait);
}

const JSON_BOTH = { "content-type": "application/json", accept: "application/json" };

function credentialsOf(account: SmsAccount) {
  return {
    username: account.settings["username"] ?? "",
    password: account.secrets["password"] ?? "",
  };
}

/** A message goes to one number, so its report has one line. */
async function lookUp(
  lines: SmsLines,
  account: SmsAccount,
  externalId: string,
): Promise<SmsReceipt | null> {
  const asked = await ask(httpFor(lines, account), {
    method: "POST",
    url: `${account.apiUrl}/API/dlr/`,
    headers: JSON_BOTH,
    body: JSON.stringify({ ...credentialsOf(account), msgid: externalId }),
  });
  if ("outcome" in asked) return null;
  const answer = readJsonObject(asked.response.body);
  const report = answer["report"];
  if (answer["result"] !== "OK" || !Array.isArray(report)) return null;
  const words = wordOf(membersOf(report[0])["Status"]);
  const meaning = meaningOfKwtSmsReport(words);
  if (meaning === null) return null;
  const common = { externalMessageId: externalId, correlationId: null, occurredAt: null };
  if (meaning === "delivered")
    return { ...common, status: "delivered", errorCode: null, errorDetail: null, smsCode: null };
  const { smsCode } = meaning;
  const scope = scopeOfReport(meaning);
  const optedOut = meaning.reason === "opted_out";
  const errorCode = words.slice(0, 60).toUpperCase();
  return { ...common, status: "failed", errorCode, errorDetail: null, smsCode, scope, optedOut };
}

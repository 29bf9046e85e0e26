import { httpFor } from "../../lib/check-address.ts";
import { secret } from "../field-rule.ts";
import type { SmsAccount, SmsLines, SmsProvider, SmsReceipt } from "../provider.ts";
import { countSegments } from "../segments.ts";
import { ask, membersOf, readJsonObject, refusal, wordOf } from "./exchange.ts";
import { meaningOfKwtSmsCode, meaningOfKwtSmsReport, WAITS } from "./kwtsms-errors.ts";
import { cleanText } from "./kwtsms-text.ts";
import { receiptOfFailure, receiptOfProgress, TEXT_REFUSED } from "./meaning.ts";
import { postOf, sendOverHttp } from "./send-over-http.ts";

/**
 * kwtSMS (channels §7.6). Settings `username`, `from` (the sender, exactly as registered), secret `password`. The
 * text is cleaned first. kwtSMS takes no id of ours and calls nobody back: delivery reports are asked for
 * (`lookUp`), and exist only outside Kuwait.
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
  // At most five calls a second from one address, including questions for receipts.
  gapMs: 350,
  forcesUcs2: () => true,
  clean: cleanText,
  async send(lines, account, sms) {
    const text = cleanText(sms.text);
    if (text !== "") return sendClean(lines, account, { ...sms, text });
    const words = "nothing is left that kwtSMS can send";
    return refusal({ account, sms }, TEXT_REFUSED, "TEXT_EMPTY", words);
  },
  lookUp,
  // kwtSMS never calls us.
  verify: () => false,
  parse: () => ({ receipts: [], inbound: [] }),
};

const sendClean = sendOverHttp({
  most: { parts: 6 },
  request: (account, { to, text, lang }) => ({
    path: "/API/send/",
    body: {
      ...credentialsOf(account),
      sender: account.settings["from"] ?? "",
      mobile: to,
      message: text,
      // 1 English, 3 Arabic in UTF-8; never 2 (CP1256) or 4 (hexadecimal).
      lang: lang === "A" || countSegments(text).encoding === "UCS-2" ? "3" : "1",
    },
  }),
  read({ http, good, members }) {
    if (members["result"] === "OK" && good) return { id: wordOf(members["msg-id"]) };
    const code = wordOf(members["code"]);
    if (good && code === "") return null;
    const words = wordOf(members["description"]);
    return { meaning: meaningOfKwtSmsCode(code, http), code, words, waitMs: WAITS[code] };
  },
});

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
  const body = { ...credentialsOf(account), msgid: externalId };
  const asked = await ask(httpFor(lines, account), postOf(account, "/API/dlr/", body));
  if ("outcome" in asked) return null;
  const answer = readJsonObject(asked.response.body);
  const report = answer["report"];
  if (answer["result"] !== "OK" || !Array.isArray(report)) return null;
  const words = wordOf(membersOf(report[0])["Status"]);
  const meaning = meaningOfKwtSmsReport(words);
  if (meaning === null) return null;
  const ids = { externalMessageId: externalId, correlationId: null };
  if (meaning === "delivered") return receiptOfProgress(ids, meaning);
  return receiptOfFailure(ids, meaning, words.slice(0, 60).toUpperCase(), null);
}

import type { Fault } from "../core/fault.ts";
import { json, type Answer, type Call } from "../core/server.ts";
import { GatewayRefusal, SmsGateway } from "../sms/gateway.ts";
import type { GatewayCall, GatewayOptions } from "../sms/options.ts";
import { countParts, shownAsGsm } from "../twilio/segments.ts";

export interface KwtSmsAccount {
  readonly username: string;
  readonly password: string;
  /** Spelt exactly in this way. */
  readonly senders: readonly string[];
}

export interface KwtSmsOptions extends GatewayOptions {
  readonly accounts?: readonly KwtSmsAccount[];
}

const WORDS: Readonly<Record<string, string>> = {
  ERR002: "A required parameter is missing",
  ERR003: "Authentication error, username or password are not correct.",
  ERR006: "No valid numbers",
  ERR008: "This sender is banned or not found",
  ERR009: "Empty message",
  ERR010: "Zero balance",
  ERR012: "The message is too long: more than 6 pages",
  ERR013: "Your queue is full",
  ERR019: "No reports found yet",
  ERR020: "Message does not exist",
  ERR025: "Invalid number",
  ERR026: "This country has no route",
  ERR027: "HTML tags are not allowed",
  ERR028: "You must wait 15 seconds before sending to the same number",
  ERR030: "Message is stuck in the send queue with an error",
};
const SAME_NUMBER_MS = 15_000;

/**
 * An emulated kwtSMS REST API: reports must be asked for, the same number waits 15 seconds, and texts with emoji
 * or with `test: "1"` stay in the queue.
 */
export class KwtSmsEmulator extends SmsGateway {
  readonly name = "kwtsms";
  protected readonly throttleCode = "ERR013";
  protected readonly codes = {
    refuse: {
      "0003": "ERR003",
      "0010": "ERR010",
      "0013": "ERR013",
      "0025": "ERR025",
      "0026": "ERR026",
      "0028": "ERR028",
    },
    fail: { "0101": "Blacklisted", "0102": "Expired", "0103": "Not delivered" },
  };
  readonly accounts = new Map<string, KwtSmsAccount>();
  readonly #last = new Map<string, number>();

  constructor(options: KwtSmsOptions) {
    super(options);
    for (const account of options.accounts ?? []) this.accounts.set(account.username, account);
  }

  protected recipientOf(call: Call): string | null {
    return call.path === "/API/send/" ? (read(call)["mobile"] ?? "") : null;
  }
  protected override codeOf(number: number): string {
    return `ERR${String(number).padStart(3, "0")}`;
  }

  protected async route(call: Call, fault: { current: Fault | null }): Promise<Answer> {
    const given = read(call);
    const account = this.accounts.get(given["username"] ?? "");
    if (!account || account.password !== given["password"]) throw new GatewayRefusal("ERR003");
    if (call.path === "/API/dlr/") return this.#report(given["msgid"] ?? "");
    if (call.path === "/API/balance/") return json(200, { result: "OK", available: 180 });
    if (call.path !== "/API/send/" || call.method !== "POST") return json(404, {});
    const { mobile = "", message: text = "", sender: from = "", lang = "1", test } = given;
    if (mobile === "" || from === "") throw new GatewayRefusal("ERR002");
    if (!account.senders.includes(from)) throw new GatewayRefusal("ERR008");
    if (text.trim() === "") throw new GatewayRefusal("ERR009");
    if (!/^\d{8,15}$/.test(mobile)) throw new GatewayRefusal("ERR006");
    if (/<[a-z!/]/i.test(text)) throw new GatewayRefusal("ERR027");
    const pages = countParts(text);
    if (pages > 6) throw new GatewayRefusal("ERR012");
    const now = this.clock.now();
    if (now - (this.#last.get(mobile) ?? -Infinity) < SAME_NUMBER_MS)
      throw new GatewayRefusal("ERR028");
    // Flag 1 is for Latin letters: others arrive as question marks.
    const shown = lang === "1" ? shownAsGsm(text) : text;
    const message = await this.take(
      {
        id: this.random.hex(16),
        account: account.username,
        from,
        to: mobile,
        text: shown,
        correlation: "",
        receiptUrl: null,
        facts: { lang, stuck: test === "1" || /\p{Emoji_Presentation}/u.test(text) ? "yes" : "" },
      },
      fault,
    );
    if (!message) return json(200, {});
    this.#last.set(mobile, now);
    return json(200, {
      result: "OK",
      "msg-id": message.id,
      numbers: 1,
      "points-charged": pages,
      "balance-after": 180,
      // Local time of Kuwait, as at the real one.
      "unix-timestamp": Math.floor(now / 1000) + 3 * 3600,
    });
  }

  #report(id: string): Answer {
    const message = this.message(id);
    if (!message) throw new GatewayRefusal("ERR020");
    if (message.facts["stuck"]) throw new GatewayRefusal("ERR030");
    const words = { accepted: "", sent: "", delivered: "Received by recipient" };
    const Status = message.state === "failed" ? (message.code ?? "Failed") : words[message.state];
    if (Status === "") throw new GatewayRefusal("ERR019");
    return json(200, { result: "OK", report: [{ Number: message.to, Status }] });
  }

  protected refuse({ code, message }: GatewayRefusal, status: number | undefined): Answer {
    const description = message || (WORDS[code] ?? "");
    return json(status ?? 403, { result: "ERROR", code, description });
  }

  /** It calls nobody back. */
  protected receipts(): GatewayCall[] {
    return [];
  }

  override clear(): void {
    super.clear();
    this.#last.clear();
  }
}

function read(call: Call): Record<string, string> {
  try {
    return { ...(JSON.parse(call.body.toString("utf8")) as Record<string, string>) };
  } catch {
    return {};
  }
}

/** Starts an emulated kwtSMS on a loopback port. */
export function createKwtSmsEmulator(options: KwtSmsOptions = {}): Promise<KwtSmsEmulator> {
  return new KwtSmsEmulator(options).listen();
}

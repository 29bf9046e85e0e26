import type { Fault } from "../core/fault.ts";
import { json, type Answer, type Call } from "../core/server.ts";
import { GatewayRefusal, SmsGateway } from "../sms/gateway.ts";
import type { GatewayCall, GatewayMessage, GatewayOptions, GatewayState } from "../sms/options.ts";
import { countParts } from "../twilio/segments.ts";

export interface UnifonicAccount {
  readonly appSid: string;
  readonly senders: readonly string[];
  /** What the customer entered in the console. */
  receiptUrl?: string;
}

export interface UnifonicOptions extends GatewayOptions {
  readonly accounts?: readonly UnifonicAccount[];
}

const WORDS: Readonly<Record<string, string>> = {
  "ER-401": "Authentication failed",
  "ER-402": "Missing parameter AppSid",
  "ER-410": "Invalid Recipient",
  "ER-429": "Rate limit is exceeded",
  "ER-440": "Wrong sender id",
  "ER-449": "Message body is empty",
  "ER-480": "This user cannot use specified SenderID",
  "ER-481": "Country is not allowed",
  "ER-482": "Invalid destination",
  "ER-599": "Request failed",
};

/** An emulated Unifonic REST API: booleans come as text, receipts go to the account's one address. */
export class UnifonicEmulator extends SmsGateway {
  readonly name = "unifonic";
  protected readonly throttleCode = "ER-429";
  protected readonly codes = {
    refuse: {
      "0003": "ER-401",
      "0010": "ER-410",
      "0080": "ER-480",
      "0081": "ER-481",
      "0082": "ER-482",
      "0429": "ER-429",
      "0599": "ER-599",
    },
    fail: { "0101": "Undeliverable", "0102": "Expired", "0103": "Rejected" },
  };
  readonly accounts = new Map<string, UnifonicAccount>();
  #lastId = 3_200_017_889_309;

  constructor(options: UnifonicOptions) {
    super(options);
    for (const account of options.accounts ?? []) this.accounts.set(account.appSid, account);
  }

  /** What a person does in the console. */
  enterReceiptUrl(appSid: string, url: string): void {
    const account = this.accounts.get(appSid);
    if (account) account.receiptUrl = url;
  }

  protected recipientOf(call: Call): string | null {
    return call.path === "/rest/SMS/messages" ? (read(call).get("Recipient") ?? "") : null;
  }
  protected override codeOf(number: number): string {
    return `ER-${number}`;
  }

  protected async route(call: Call, fault: { current: Fault | null }): Promise<Answer> {
    if (call.path !== "/rest/SMS/messages" || call.method !== "POST") return json(404, {});
    const form = read(call);
    const account = this.accounts.get(form.get("AppSid") ?? "");
    const [from, to, text] = ["SenderID", "Recipient", "Body"].map((name) => form.get(name) ?? "");
    if (!form.get("AppSid")) throw new GatewayRefusal("ER-402");
    if (!account) throw new GatewayRefusal("ER-401");
    if (!to || !/^[1-9]\d{6,14}$/.test(to)) throw new GatewayRefusal("ER-410");
    if (!from || !account.senders.includes(from)) throw new GatewayRefusal("ER-440");
    if (!text) throw new GatewayRefusal("ER-449");
    const id = String(++this.#lastId);
    const correlation = form.get("CorrelationID") ?? "";
    const receiptUrl = account.receiptUrl ?? null;
    const message = await this.take(
      { id, account: account.appSid, from, to, text, correlation, receiptUrl },
      fault,
    );
    if (!message) return json(200, {});
    return json(200, {
      success: "true",
      message: "",
      errorCode: "ER-00",
      data: {
        MessageID: Number(id),
        CorrelationID: correlation,
        Status: "Queued",
        NumberOfUnits: countParts(text),
        Cost: 0.4,
        Balance: "97.6",
        Recipient: to,
        TimeCreated: stamp(message.createdAt),
        CurrencyCode: "SAR",
      },
    });
  }

  protected refuse({ code, message }: GatewayRefusal, status: number | undefined): Answer {
    const body = { success: "false", message: message || (WORDS[code] ?? ""), errorCode: code };
    const number = Number(code.slice(3));
    const own = number === 401 || number === 403 || number === 429 ? number : 200;
    return json(status ?? own, { ...body, data: null });
  }

  protected receipts(
    message: GatewayMessage,
    state: GatewayState,
    code: string | null,
  ): GatewayCall[] {
    // Nothing is reported before the operator answers.
    if (message.receiptUrl === null || state === "accepted" || state === "sent") return [];
    const form = {
      MessageID: message.id,
      DLR: state === "delivered" ? "Delivered" : (code ?? "Undeliverable"),
      Recipient: message.to,
      TimeCreated: stamp(message.createdAt),
      SCTS: stamp(this.clock.now()),
      DLRTimestamp: stamp(this.clock.now()),
    };
    return [
      {
        method: "POST",
        url: message.receiptUrl,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
      },
    ];
  }
}

const read = (call: Call): URLSearchParams => new URLSearchParams(call.body.toString("utf8"));
const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

/** Starts an emulated Unifonic on a loopback port. */
export function createUnifonicEmulator(options: UnifonicOptions = {}): Promise<UnifonicEmulator> {
  return new UnifonicEmulator(options).listen();
}

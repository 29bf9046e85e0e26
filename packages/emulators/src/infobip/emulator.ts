import type { Fault } from "../core/fault.ts";
import { json, type Answer, type Call } from "../core/server.ts";
import { GatewayRefusal, SmsGateway } from "../sms/gateway.ts";
import { countParts } from "../twilio/segments.ts";
import type { GatewayCall, GatewayMessage, GatewayOptions, GatewayState } from "../sms/options.ts";

export interface InfobipOptions extends GatewayOptions {
  readonly apiKeys?: readonly string[];
}

interface Send {
  readonly to: string;
  readonly messageId: string;
  readonly sender: string;
  readonly text: string;
  readonly url: string | null;
}

/** Refusals of one message, which come in a 200; other refusals have an HTTP status of their own. */
const IN_ANSWER: Readonly<Record<string, number>> = {
  REJECTED_NETWORK: 6,
  REJECTED_DND: 8,
  REJECTED_NOT_ENOUGH_CREDITS: 12,
  REJECTED_SENDER: 13,
  REJECTED_DESTINATION: 14,
  REJECTED_SYSTEM_ERROR: 21,
};
const HTTP: Readonly<Record<string, readonly [status: number, text: string]>> = {
  UNAUTHORIZED: [401, "Invalid login details"],
  BAD_REQUEST: [400, "Bad Request"],
  TOO_MANY_REQUESTS: [429, "Too many requests"],
};

/** The texts of reports. On its way means "delivered" to the operator, in the same group as the real delivery. */
const STATES = {
  accepted: {
    groupId: 1,
    groupName: "PENDING",
    id: 3,
    name: "PENDING_WAITING_DELIVERY",
    description: "Message sent, waiting for delivery report",
  },
  sent: {
    groupId: 3,
    groupName: "DELIVERED",
    id: 2,
    name: "DELIVERED_TO_OPERATOR",
    description: "Message delivered to operator",
  },
  delivered: {
    groupId: 3,
    groupName: "DELIVERED",
    id: 5,
    name: "DELIVERED_TO_HANDSET",
    description: "Message delivered to handset",
  },
  failed: {
    groupId: 2,
    groupName: "UNDELIVERABLE",
    id: 9,
    name: "UNDELIVERABLE_NOT_DELIVERED",
    description: "Message sent not delivered",
  },
} satisfies Record<GatewayState, object>;

/** An emulated Infobip SMS 3. */
export class InfobipEmulator extends SmsGateway {
  readonly name = "infobip";
  protected readonly throttleCode = "TOO_MANY_REQUESTS";
  protected readonly codes = {
    refuse: {
      "0003": "UNAUTHORIZED",
      "0006": "REJECTED_NETWORK",
      "0008": "REJECTED_DND",
      "0012": "REJECTED_NOT_ENOUGH_CREDITS",
      "0014": "REJECTED_DESTINATION",
      "0021": "REJECTED_SYSTEM_ERROR",
      "0429": "TOO_MANY_REQUESTS",
    },
    fail: { "0101": "EC_UNKNOWN_SUBSCRIBER", "0102": "EC_ABSENT_SUBSCRIBER", "0103": "EC_OTHER" },
  };
  readonly apiKeys: Set<string>;

  constructor(options: InfobipOptions) {
    super(options);
    this.apiKeys = new Set(options.apiKeys);
  }

  protected recipientOf(call: Call): string | null {
    return call.path === "/sms/3/messages" ? (readSend(call)?.to ?? "") : null;
  }
  protected override codeOf(number: number): string {
    const names: Readonly<Record<number, string>> = {
      401: "UNAUTHORIZED",
      429: "TOO_MANY_REQUESTS",
      14: "REJECTED_DESTINATION",
    };
    return names[number] ?? "BAD_REQUEST";
  }

  protected async route(call: Call, fault: { current: Fault | null }): Promise<Answer> {
    if (call.path !== "/sms/3/messages" || call.method !== "POST") return json(404, {});
    const key = /^App (.+)$/.exec(call.headers.authorization ?? "")?.[1] ?? "";
    if (!this.apiKeys.has(key)) throw new GatewayRefusal("UNAUTHORIZED");
    const send = readSend(call);
    if (!send || send.text === "" || send.sender === "") throw new GatewayRefusal("BAD_REQUEST");
    if (!/^\d{7,15}$/.test(send.to)) throw new GatewayRefusal("REJECTED_DESTINATION");
    const id = send.messageId === "" ? this.random.hex(16) : send.messageId;
    const message = await this.take(
      {
        id,
        account: key,
        from: send.sender,
        to: send.to,
        text: send.text,
        correlation: send.messageId,
        receiptUrl: send.url,
      },
      fault,
    );
    if (!message) return json(200, {});
    const status = { groupId: 1, groupName: "PENDING", id: 26, name: "PENDING_ACCEPTED" };
    return json(200, {
      messages: [
        { messageId: id, destination: send.to, status: { ...status, description: "Accepted" } },
      ],
    });
  }

  protected refuse({ code, message }: GatewayRefusal, status: number | undefined): Answer {
    const id = IN_ANSWER[code];
    if (id !== undefined) {
      const description = message || code;
      const refused = { groupId: 5, groupName: "REJECTED", id, name: code, description };
      return json(status ?? 200, { messages: [{ messageId: "", status: refused }] });
    }
    const [http, text] = HTTP[code] ?? [400, code];
    return json(status ?? http, {
      requestError: { serviceException: { messageId: code, text: message || text } },
    });
  }

  protected receipts(
    message: GatewayMessage,
    state: GatewayState,
    code: string | null,
  ): GatewayCall[] {
    if (message.receiptUrl === null) return [];
    const error =
      code === null
        ? { groupId: 0, id: 0, name: "NO_ERROR", permanent: false }
        : { groupId: 1, id: 1, name: code, permanent: code !== "EC_ABSENT_SUBSCRIBER" };
    const result = {
      messageId: message.id,
      to: message.to,
      sentAt: new Date(message.createdAt).toISOString(),
      doneAt: new Date(this.clock.now()).toISOString(),
      smsCount: countParts(message.text),
      status: STATES[state],
      error,
    };
    return [
      {
        method: "POST",
        url: message.receiptUrl,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ results: [result] }),
      },
    ];
  }
}

function readSend(call: Call): Send | null {
  try {
    const { messages } = JSON.parse(call.body.toString("utf8")) as {
      messages: {
        sender?: string;
        from?: string;
        destinations: { to: string; messageId?: string }[];
        content: { text: string };
        webhooks?: { delivery?: { url?: string } };
      }[];
    };
    const [message] = messages;
    const destination = message?.destinations[0];
    if (!message || !destination) return null;
    return {
      to: destination.to,
      messageId: destination.messageId ?? "",
      sender: message.sender ?? message.from ?? "",
      text: message.content.text,
      url: message.webhooks?.delivery?.url ?? null,
    };
  } catch {
    return null;
  }
}

/** Starts an emulated Infobip on a loopback port. */
export function createInfobipEmulator(options: InfobipOptions = {}): Promise<InfobipEmulator> {
  return new InfobipEmulator(options).listen();
}

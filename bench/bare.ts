import { createGuardedHttp, createProviderHttp } from "../apps/server/src/lib/outbound-http.ts";
import { newSecret, signatureHeaders } from "../apps/server/src/webhooks/sign.ts";

/** The floors of what sends: the product's own HTTP client in a bare loop, in a process of its own, no database. */
export type BareAsk = `${"send" | "hook"} ${number} ${number}`;
export interface BareAnswer {
  readonly perSecond: number;
}

const [apiUrl = "", receiver = ""] = process.argv.slice(2);
const provider = createProviderHttp();
const guarded = createGuardedHttp({ allow: ["127.0.0.0/8"] });
const secret = newSecret();

async function send(turn: number): Promise<void> {
  const body = JSON.stringify({
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: String(96_500_000_000 + turn),
    type: "template",
    template: {
      name: "news",
      language: { code: "en", policy: "deterministic" },
      components: [{ type: "body", parameters: [{ type: "text", text: `contact ${turn}` }] }],
    },
    biz_opaque_callback_data: `0190a5b0-0000-7000-8000-${String(turn).padStart(12, "0")}`,
  });
  const headers = { authorization: "Bearer token", "content-type": "application/json" };
  const answer = await provider.request({
    method: "POST",
    url: `${apiUrl}/1000203/messages`,
    headers,
    body,
  });
  if (answer.status !== 200) throw new Error(`the sink answered ${answer.status}`);
  JSON.parse(answer.body.toString());
}

async function hook(turn: number): Promise<void> {
  const id = `0190a5b0-0000-7000-8000-${String(turn).padStart(12, "0")}`;
  const body = Buffer.from(
    JSON.stringify({ id, type: "contact.created", data: { padding: "x".repeat(560) } }),
  );
  const headers = {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1.0",
    ...signatureHeaders({ id, body, at: new Date() }, [secret]),
  };
  const answer = await guarded.request({
    method: "POST",
    url: receiver,
    headers,
    body,
    timeoutMs: 10_000,
  });
  if (answer.status !== 204) throw new Error(`the receiver answered ${answer.status}`);
}

async function loop(
  one: (turn: number) => Promise<void>,
  count: number,
  atOnce: number,
): Promise<BareAnswer> {
  let turn = 0;
  const begun = performance.now();
  const line = async () => {
    while (turn < count) await one(turn++);
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  return { perSecond: (count * 1_000) / (performance.now() - begun) };
}

process.on("message", (ask: BareAsk) => {
  const [what, count, atOnce] = ask.split(" ");
  void loop(what === "send" ? send : hook, Number(count), Number(atOnce)).then((told) =>
    process.send?.(told),
  );
});
process.on("disconnect", () => process.exit(0));
process.send?.({});

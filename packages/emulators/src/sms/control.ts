import { asFault } from "../core/fault.ts";
import { json, type Call, type Handled } from "../core/server.ts";
import type { SmsGateway } from "./gateway.ts";
import type { GatewayState } from "./options.ts";

const STATES: readonly GatewayState[] = ["accepted", "sent", "delivered", "failed"];

/** The control surface over HTTP: the same methods that a test calls on the object. */
export async function gatewayControl(gateway: SmsGateway, call: Call): Promise<Handled> {
  try {
    return { answer: json(200, await act(gateway, call)) };
  } catch (error) {
    return { answer: json(400, { error: error instanceof Error ? error.message : String(error) }) };
  }
}

async function act(gateway: SmsGateway, call: Call): Promise<unknown> {
  const name = call.path.slice(`/_sim/${gateway.name}/`.length);
  if (call.method === "GET") {
    const { total, complete } = gateway.ledger;
    if (name === "requests") return gateway.requests();
    if (name === "messages") return gateway.messages();
    if (name === "callbacks") return gateway.callbacks();
    if (name === "ledger") return { total, complete, repeated: gateway.ledger.repeated() };
    throw new Error(`nothing to read at ${name}`);
  }
  const parsed: unknown = call.body.length > 0 ? JSON.parse(call.body.toString("utf8")) : {};
  if (typeof parsed !== "object" || parsed === null) throw new Error("a JSON object is needed");
  const body: Readonly<Record<string, unknown>> = { ...parsed };
  const number = (key: string): number => (typeof body[key] === "number" ? body[key] : 0);
  switch (name) {
    case "status": {
      const state = STATES.find((one) => one === body["state"]);
      if (!state) throw new Error(`state must be one of ${STATES.join(", ")}`);
      const { id, code } = body;
      gateway.status({
        id: typeof id === "string" ? id : "",
        state,
        ...(typeof code === "string" && { code }),
        times: number("times") || 1,
      });
      return { queued: gateway.stats.queued };
    }
    case "fault":
      if (body["clear"] === true) gateway.faults.clear();
      else gateway.fault(asFault(body));
      return { faults: gateway.faults.count };
    case "clock":
      if (number("set") !== 0) gateway.clock.set(number("set"));
      await gateway.advance(number("advanceMs"));
      return { now: gateway.clock.now() };
    case "flush":
      return { delivered: await gateway.flush(number("concurrency") || 1) };
    case "release":
      gateway.release();
      return {};
    case "clear":
      gateway.clear();
      return {};
    default:
      throw new Error(`nothing to do at ${name}`);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import type {
  FaultSwitch,
  PhoneAction,
  PhoneEvent,
  SandboxLine,
  Said,
  SayInput,
} from "../lib/sandbox-slot.ts";
import type { PhoneLog } from "./phone-log.ts";
import type { Platform } from "./platforms/platform.ts";
import { USUAL_CUSTOMER } from "./platforms/usual-customer.ts";
import { remember } from "./remember.ts";
import type { SandboxLineRow } from "./sandbox-store.ts";
import { endingOf } from "./troubles.ts";
import { findByProviderId } from "../messages/record/find-message.ts";
import { toDigits } from "../sms/mobile.ts";
import { placeOf } from "./place-of.ts";
import type { SandboxType } from "../wire/words.ts";

/** How long `say` waits until the message is stored. */
const PATIENCE_MS = 10_000;
const MAX_TEXT = 4_096;

/** A line with its platform, for the code that runs it. */
export interface RunningLine extends SandboxLine {
  readonly type: SandboxType;
  readonly platform: Platform;
  readonly log: PhoneLog;
}

/** Makes a line out of a running platform: the acts of its customers, and the log of what their phones show. */
export function openLine(
  context: Pick<Context, "db" | "clock">,
  row: Pick<SandboxLineRow, "id" | "workspaceId"> & { readonly type: SandboxType },
  platform: Platform,
  log: PhoneLog,
  /** True when the platform sends nothing by itself. */
  manual: boolean,
): RunningLine {
  const { id, workspaceId, type } = row;
  const tell = (customer: string, event: PhoneEvent) =>
    log.add(customer, event, context.clock.now());
  let acts = 0;
  /** The address as the platform writes it: people and programs write a number with its plus sign and spaces. */
  const check = (written: string): string => {
    const digits = type === "WHATSAPP" || type === "SMS" ? toDigits(written) : null;
    const customer = digits ?? written;
    const fault = platform.faultOf(customer);
    if (fault !== null) throw invalid("from", `must be ${fault} on ${type}`);
    return customer;
  };
  const takenIn = async (customer: string, messageId: string) => {
    const nothing = { messageId: null, conversationId: null, contactId: null };
    if (platform.cameToUs) return platform.cameToUs(messageId) ? nothing : null;
    const providerMessageId = platform.storedAs(customer, messageId);
    return placeOf(
      await findByProviderId(context, { workspaceId, channelId: id, providerMessageId }),
    );
  };
  const sayOne = async (from: string, input: SayInput): Promise<Said> => {
    const platformMessageId = platform.say(from, input);
    const { text = null, file } = input;
    const kind = file === undefined ? "text" : file.mimeType;
    const base = { kind: "message", by: "customer", messageId: platformMessageId } as const;
    tell(from, { ...base, text, type: kind });
    if (manual) await platform.flush();
    const begun = performance.now();
    let stored = await takenIn(from, platformMessageId);
    while (stored === null && performance.now() - begun < PATIENCE_MS) {
      await sleep(20);
      stored = await takenIn(from, platformMessageId);
    }
    if (stored !== null)
      tell(from, { kind: "tick", messageId: platformMessageId, status: "delivered" });
    const facts = stored ?? { messageId: null, conversationId: null, contactId: null };
    return { from, platformMessageId, takenIn: stored !== null, ...facts };
  };
  return {
    id,
    workspaceId,
    type,
    platform,
    log,
    thread: (query) => log.read(query),
    listen: (listener) => log.listen(listener),
    async say(input): Promise<Said> {
      const from = check(input.from ?? USUAL_CUSTOMER[type]);
      checkWords(input, platform, type);
      const [first, second] = asSent(input, platform);
      const said = await sayOne(from, first);
      return second === undefined ? said : sayOne(from, second);
    },
    act(customer, action: PhoneAction) {
      if (!platform.act(check(customer), action))
        throw invalid(
          "action",
          `${action.action} is not possible for a customer on ${type}, or there is no such message`,
        );
      const shown = shownAct(action);
      acts += 1;
      if (shown)
        tell(customer, { kind: "message", by: "customer", messageId: `act-${acts}`, ...shown });
    },
    setFault(fault: FaultSwitch) {
      platform.fault(faultOf(type, fault));
    },
    clearFaults: () => platform.clearFaults(),
    setMagic: (on) => platform.setMagic(on),
    get faultCount() {
      return platform.faultCount();
    },
    remember: () => remember(context, { id, workspaceId, type, platform, log }),
  };
}

/** What the customer's own phone shows of an act; null: nothing new. */
function shownAct(
  action: PhoneAction,
): { readonly text: string | null; readonly type: string } | null {
  if (action.action === "press") return { text: action.title, type: "button" };
  return action.action === "locate" ? { text: null, type: "location" } : null;
}

function checkWords({ text, file }: SayInput, platform: Platform, type: SandboxType): void {
  const fault = file && platform.fileFaultOf(file);
  if (fault) throw invalid("file", `cannot be sent by customers on ${type}: they send ${fault}`);
  if (file === undefined && (text ?? "") === "")
    throw invalid("text", "is required without a file");
  if ((text ?? "").length > MAX_TEXT) throw invalid("text", `has at most ${MAX_TEXT} characters`);
}

/** Turns what a customer says into the messages that the platform makes of it. */
function asSent(input: SayInput, platform: Platform): [SayInput, SayInput?] {
  const { file, text, replyTo: _, ...who } = input;
  if (!file || !text || platform.takesCaption(file)) return [input];
  return [
    { ...input, text: undefined },
    { ...who, text },
  ];
}

/** The emulators' form of a fault: the call is treated like one to the address that stands for the fault. */
function faultOf(type: SandboxType, { kind, next, to, delayMs, code }: FaultSwitch) {
  const whom = { next, ...(to !== undefined && { to }) };
  if (kind === "code") {
    if (code === undefined) throw invalid("code", "is required: the platform's own error code");
    return { kind: "code", code, ...whom } as const;
  }
  const as = endingOf(type, kind);
  if (kind === "slow" && delayMs !== undefined) return { kind: "delay", delayMs, ...whom } as const;
  return { kind: "as", as, ...whom } as const;
}

import { randomBytes } from "node:crypto";
import type { Fault } from "../core/fault.ts";
import type { Answer } from "../core/server.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import { graphError, type GraphRefusal } from "./errors.ts";

export const trace = (): string => `A${randomBytes(16).toString("base64url")}`;

/** Rate limits give percentages of the called account's allowance, never a Retry-After. */
export function usageHeaders(
  emulator: WhatsAppEmulator,
  path: string,
  percent: number,
): Record<string, string> {
  const usage = { call_count: percent, total_cputime: 1, total_time: 1 };
  const [, called = ""] = path.replace(/^\/v\d+\.\d+(?=\/)/, "").split("/");
  const numbers = [...emulator.numbers.values()];
  const waba =
    emulator.numbers.get(called)?.wabaId ??
    (numbers.find((one) => one.wabaId === called) ?? numbers[0])?.wabaId ??
    "0";
  return {
    "x-app-usage": JSON.stringify(usage),
    "x-business-use-case-usage": JSON.stringify({
      [waba]: [
        {
          type: "whatsapp",
          ...usage,
          estimated_time_to_regain_access:
            percent >= 100 ? (emulator.options.regainMinutes ?? 0) : 0,
        },
      ],
    }),
  };
}

/** The answer to a refused call; a throttled one shows 100 % in the usage headers. */
export function refuse(
  emulator: WhatsAppEmulator,
  path: string,
  refusal: GraphRefusal,
  fault: Fault | null,
): Answer {
  const throttled = [4, 17, 613, 80007, 130429, 131056, 133016].includes(refusal.code);
  const chosen = [130429, 131056].includes(refusal.code)
    ? emulator.options.throttleStatus
    : undefined;
  const status = fault?.status ?? chosen;
  return graphError(refusal, trace(), {
    ...(status === undefined ? {} : { status }),
    headers: { ...usageHeaders(emulator, path, throttled ? 100 : 1), ...fault?.headers },
  });
}

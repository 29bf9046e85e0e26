import type { Handled } from "../core/server.ts";
import { extract, inTheWrongLanguage } from "./answers.ts";
import { withLookups } from "./look-ups.ts";
import type { Prompt } from "./prompt.ts";
import { ANTHROPIC, ModelRefusal, type Protocol } from "./protocols.ts";

/** What can go wrong at a provider. The model `fault:KIND` does it at every call. */
export const MODEL_FAULTS = [
  "401",
  "404",
  "429",
  "quota",
  "500",
  "529",
  "hang",
  "reset",
  "trickle",
  "html",
  "halfjson",
  "prose",
  "wronglang",
  "unknowntool",
  "big",
] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

/** Longer than any caller waits. */
const TRICKLE_MS = 600_000;
const BIG_BYTES = 4 * 1024 * 1024;

/** Answers a call wrongly, in the way that the kind names. */
export function spoilt(kind: ModelFault, protocol: Protocol, prompt: Prompt, id: string): Handled {
  const usual = () => protocol.write(prompt, extract(prompt), id);
  const anthropic = protocol === ANTHROPIC;
  const refuse = (...given: ConstructorParameters<typeof ModelRefusal>) => ({
    answer: protocol.refuse(new ModelRefusal(...given)),
  });
  switch (kind) {
    case "401":
      return refuse(
        401,
        anthropic ? "authentication_error" : "invalid_request_error",
        "Incorrect API key provided",
        {
          code: "invalid_api_key",
        },
      );
    case "404":
      return refuse(
        404,
        anthropic ? "not_found_error" : "invalid_request_error",
        `The model ${prompt.model} does not exist`,
        {
          code: "model_not_found",
        },
      );
    case "429":
      return refuse(429, anthropic ? "rate_limit_error" : "requests", "Rate limit reached", {
        code: "rate_limit_exceeded",
        headers: { "retry-after": "7" },
      });
    case "quota":
      return anthropic
        ? refuse(400, "invalid_request_error", "Your credit balance is too low to access the API")
        : refuse(429, "insufficient_quota", "You exceeded your current quota", {
            code: "insufficient_quota",
          });
    case "500":
      return refuse(500, anthropic ? "api_error" : "server_error", "Internal server error");
    case "529":
      return refuse(529, "overloaded_error", "Overloaded");
    case "hang":
      return { answer: usual(), fault: { kind: "hang" } };
    case "reset":
      return { answer: usual(), fault: { kind: "drop" } };
    case "trickle":
      return { answer: usual(), fault: { kind: "slow", delayMs: TRICKLE_MS } };
    case "html":
      return { answer: usual(), fault: { kind: "html" } };
    case "halfjson": {
      const reply = extract(prompt);
      const whole = "value" in reply ? JSON.stringify(reply.value) : "{}";
      return {
        answer: protocol.write(prompt, { prose: whole.slice(0, Math.ceil(whole.length / 2)) }, id),
      };
    }
    case "prose":
      return {
        answer: protocol.write(prompt, { prose: "Sure! I would be glad to help with that." }, id),
      };
    case "wronglang":
      return { answer: protocol.write(prompt, inTheWrongLanguage(prompt), id) };
    case "unknowntool":
      return {
        answer: protocol.write(
          prompt,
          withLookups(prompt, { tool: "delete_everything", input: {} }),
          id,
        ),
      };
    case "big":
      return { answer: usual(), fault: { kind: "oversize", bytes: BIG_BYTES } };
  }
}

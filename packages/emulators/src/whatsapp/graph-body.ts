import { GraphRefusal } from "./errors.ts";

/** The JSON object of a call's body; anything else is refused with 100. */
export function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Falls through to the same refusal.
  }
  throw new GraphRefusal(100, "The request body must be a JSON object.");
}

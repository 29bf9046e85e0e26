import type { ApiError } from "../api/api-error.ts";
import { t } from "../text/t.ts";
import { fieldName } from "./platforms.ts";

const REFUSED = /^is refused by the platform \((.*)\)$/s;

/** The fault of a value, in the page's language: shown below its field. */
function faultText(path: string, message: string): string {
  if (message.startsWith("is required with another address")) return t("channels.fault.again");
  if (message.startsWith("is required")) return t("channels.fault.required");
  if (REFUSED.test(message)) return t("channels.fault.refused");
  if (path === "apiUrl") return t("channels.fault.address", { words: message });
  return t("channels.fault.format");
}

/** The faults of a refused form by the names of its fields. */
export function channelFaults(error: ApiError | null): Record<string, string> {
  if (error?.code !== "VALIDATION_FAILED") return {};
  return Object.fromEntries(
    error.details.map(({ path, message }) => [path, faultText(path, message)]),
  );
}

/** The wrong values, by the names that people read. */
export const faultNames = (error: ApiError): string =>
  error.details.map(({ path }) => fieldName(path)).join(" · ");

/** The platform's own words, if it refused a value. */
export function platformWords(error: ApiError): string | null {
  const refused = error.details.map(({ message }) => REFUSED.exec(message)?.[1]);
  return refused.find((words) => words !== undefined) ?? null;
}

import { invalid, type AppError } from "../errors.ts";
import type { RuleFaultCode } from "./rule-fault-codes.ts";

/** Refuses a definition at `path`: in English for programs, by its code for the dashboard. */
export const ruleFault = (
  path: string,
  message: string,
  code: RuleFaultCode,
  params: Readonly<Record<string, string | number>> = {},
): AppError => invalid(path, message, { code: `rule.${code}`, params });

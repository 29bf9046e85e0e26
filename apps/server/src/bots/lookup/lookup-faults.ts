import type { AiDocument, BotFault, BotFaultCode } from "../../wire/bot.ts";
import { isAddress } from "../flow/read-flow.ts";

const fault = (
  path: string,
  code: BotFaultCode,
  message: string,
  values?: BotFault["values"],
): BotFault => ({ path, step: null, code, message, ...(values && { values }) });

/** What is wrong with a bot's look-ups beyond their form: names that occur twice, addresses that cannot be called. Pure. */
export function lookupFaults(lookups: AiDocument["lookups"] = []): BotFault[] {
  const names = lookups.map(({ name }) => name);
  return lookups.flatMap(({ name, url, arguments: declared = [] }, n) => {
    const at = `lookups.${n}`;
    const own = declared.map((one) => one.name);
    return [
      ...(names.indexOf(name) < n ? [twice(`${at}.name`, name)] : []),
      ...(isAddress(url)
        ? []
        : [fault(`${at}.url`, "ADDRESS", "must be an address that begins with https://")]),
      ...own.flatMap((one, m) =>
        own.indexOf(one) < m ? [twice(`${at}.arguments.${m}.name`, one)] : [],
      ),
    ];
  });
}

const twice = (path: string, name: string): BotFault =>
  fault(path, "NAME_TWICE", "must be another name than the others", { name });

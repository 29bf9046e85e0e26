import type { AiDocument, BotFault } from "../../wire/bot.ts";
import { isAddress } from "../flow/read-flow.ts";
import { draftFault } from "../record/shape-faults.ts";

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
        : [draftFault(`${at}.url`, "ADDRESS", "must be an address that begins with https://")]),
      ...own.flatMap((one, m) =>
        own.indexOf(one) < m ? [twice(`${at}.arguments.${m}.name`, one)] : [],
      ),
    ];
  });
}

const twice = (path: string, name: string): BotFault =>
  draftFault(path, "NAME_TWICE", "must be another name than the others", { name });

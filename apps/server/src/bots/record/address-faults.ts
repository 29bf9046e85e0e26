import { Check } from "typebox/value";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { checkAddress } from "../../lib/check-address.ts";
import { AiDocument, ExternalDocument, type BotFault } from "../../wire/bot.ts";
import { isAddress, readFlow } from "../flow/read-flow.ts";
import type { StoredBotDocument } from "./bot-store.ts";

/** Addresses that are looked at: as many as a draft shows faults. */
const MOST_ADDRESSES = 50;

/**
 * Why addresses in a bot's document may not be called: that of an external bot, of look-ups, of calls in a flow. The rule and
 * the words are those of webhook endpoints. What is not an address has a fault of its form already. Asks the name server, for
 * 3 seconds at most: not for a transaction.
 */
export async function addressFaults(
  context: Pick<Context, "config">,
  document: StoredBotDocument,
): Promise<BotFault[]> {
  const called = calledBy(document).slice(0, MOST_ADDRESSES);
  const whys = new Map(called.map(({ url }) => [url, whyNot(context, url)]));
  const faults = await Promise.all(
    called.map(async ({ url, path, step }) => {
      const message = await whys.get(url);
      return message ? [{ path, step, code: "ADDRESS_REFUSED", message } as const] : [];
    }),
  );
  return faults.flat();
}

interface Called {
  readonly path: string;
  readonly step: string | null;
  readonly url: string;
}

function calledBy(document: StoredBotDocument): Called[] {
  if (Check(ExternalDocument, document)) return [{ path: "url", step: null, url: document.url }];
  if (Check(AiDocument, document))
    return (document.lookups ?? []).flatMap(({ url }, n) =>
      isAddress(url) ? [{ path: `lookups.${n}.url`, step: null, url }] : [],
    );
  if (document["kind"] !== "flow") return [];
  return Object.entries(readFlow(document).steps).flatMap(([step, one]) =>
    one.type === "call" && isAddress(one.url)
      ? [{ path: `steps.${step}.url`, step, url: one.url }]
      : [],
  );
}

/** Null: it may be called. */
async function whyNot(context: Pick<Context, "config">, url: string): Promise<string | null> {
  try {
    await checkAddress(context, url, "url");
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.facts.details?.[0]?.message ?? error.message;
  }
}

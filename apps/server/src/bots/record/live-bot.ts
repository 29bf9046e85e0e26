import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { isOpen } from "../../hours/hours.ts";
import { readHours } from "../../hours/read-hours.ts";
import type { ChannelType } from "../../wire/words.ts";
import { holdsPhrase } from "../flow/plain-words.ts";
import { selectLiveBots, type LiveBot } from "./bot-store.ts";

export {
  selectAllNames as allBotNames,
  selectBotNames as botNames,
  selectBotVersion as botVersion,
} from "./bot-store.ts";
export { workspaceOfBot } from "./bot-store.ts";
export type { LiveBot, NamedSegments } from "./bot-store.ts";

/** What a customer wrote, and where. */
export interface Asked {
  readonly channelId: string;
  readonly channelType: ChannelType;
  readonly text: string | null;
}

/** The oldest live bot whose trigger fits; null: none answers here. */
export async function liveBotFor(
  context: Pick<Context, "clock">,
  db: Queryable,
  workspaceId: string,
  asked: Asked,
): Promise<LiveBot | null> {
  for (const bot of await selectLiveBots(db, workspaceId)) {
    // One that only suggests never answers: members ask it.
    if (bot.document["mode"] === "suggest") continue;
    const trigger = triggerOf(bot.document);
    if (trigger.when === "by_assistant") continue;
    if (!fitsTrigger(trigger, asked)) continue;
    if (trigger.when === "always" || (await isTime(context, db, workspaceId, trigger.when)))
      return bot;
  }
  return null;
}

/** The live AI bot with a name that may write to customers; null: there is none. */
export async function findLiveAi(
  db: Queryable,
  workspaceId: string,
  name: string,
): Promise<LiveBot | null> {
  const bots = await selectLiveBots(db, workspaceId);
  const fits = (bot: LiveBot) =>
    bot.kind === "ai" && bot.name === name.trim() && bot.document["mode"] === "autopilot";
  return bots.find(fits) ?? null;
}

/** The live flows of a workspace, by their names; of two with one name the older. */
export async function liveFlows(
  db: Queryable,
  workspaceId: string,
): Promise<ReadonlyMap<string, LiveBot>> {
  const flows = (await selectLiveBots(db, workspaceId)).filter(({ kind }) => kind === "flow");
  return new Map(flows.toReversed().map((flow) => [flow.name, flow]));
}

/** Whether the workspace's business hours say that a bot may begin now. */
async function isTime(
  { clock }: Pick<Context, "clock">,
  db: Queryable,
  workspaceId: string,
  when: string,
): Promise<boolean> {
  const open = isOpen(await readHours(db, workspaceId), clock.now().getTime());
  return when === "outside_hours" ? !open : open;
}

/** What begins a bot. Pure. */
export interface BotBegins {
  readonly channels: readonly string[];
  readonly when: string;
  readonly words: readonly string[];
}

/** The trigger of a document. A member that is absent sets no condition. */
export function triggerOf(document: Readonly<Record<string, unknown>>): BotBegins {
  const { trigger } = document;
  const given = new Map<string, unknown>(
    typeof trigger === "object" && trigger !== null ? Object.entries(trigger) : [],
  );
  const when = given.get("when");
  return {
    channels: textsIn(given.get("channels")),
    when: typeof when === "string" ? when : "always",
    words: textsIn(given.get("words")).filter((word) => word.trim() !== ""),
  };
}

/** Whether what a customer wrote begins the bot. */
export function fitsTrigger({ channels, words }: BotBegins, asked: Asked): boolean {
  const here =
    channels.length === 0 ||
    channels.includes(asked.channelId) ||
    channels.includes(asked.channelType);
  return (
    here && (words.length === 0 || words.some((phrase) => holdsPhrase(asked.text ?? "", phrase)))
  );
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

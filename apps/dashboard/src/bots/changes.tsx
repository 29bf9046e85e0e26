import { useQuery } from "@tanstack/react-query";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { channelWord } from "../kit/words.ts";
import { t, type PlainKey } from "../text/t.ts";
import type { BotDocument } from "./bots-query.ts";
import { knownSources } from "./cases-query.ts";
import { changesOf, type DocumentChange } from "./document-changes.ts";
import { isRecord } from "./document-file.ts";
import { faultPlace } from "./fault-words.ts";
import { nameOfStep, stepsOf, typeOfStep } from "./flow-steps.ts";
import { textOfStep, typeWord } from "./step-words.ts";
import "./changes.css";

const KINDS = {
  added: ["ok", "changes.added"],
  removed: ["bad", "changes.removed"],
  changed: ["info", "changes.changed"],
} as const satisfies Record<DocumentChange["kind"], readonly [Tone, PlainKey]>;

/** Members that no fault is about, by the words of their forms. */
const PLACES: Readonly<Record<string, PlainKey>> = {
  model: "changes.model",
  topics: "flow.topics",
  sources: "bots.sources",
  lookups: "changes.lookups",
  procedures: "changes.procedures",
  quietMs: "changes.quiet",
  entry: "changes.entry",
};

const VALUES: Readonly<Record<string, Readonly<Record<string, PlainKey>>>> = {
  mode: { suggest: "bots.mode.suggest", autopilot: "bots.mode.autopilot" },
  tone: {
    friendly: "bots.tone.friendly",
    neutral: "bots.tone.neutral",
    formal: "bots.tone.formal",
  },
  "trigger.when": {
    always: "bots.when.always",
    outside_hours: "bots.when.outside",
    during_hours: "bots.when.during",
    by_assistant: "bots.when.assistant",
  },
};

/** Places of a step that name another step. */
const EDGES = new Set(["next", "otherwise", "refused", "timeout.next"]);

/** What differs between two documents of a bot, in words; the steps by their names. */
export function Changes({
  name,
  before,
  after,
}: {
  /** What the list is called. */
  readonly name: string;
  readonly before: BotDocument;
  readonly after: BotDocument;
}) {
  const wordOf = useValueWords(before, after);
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p role="status">{t("changes.none")}</p>;
  return (
    <ul className="changes" aria-label={name}>
      {changes.map((change) => (
        <Change
          key={`${change.step?.id ?? ""} ${change.path}`}
          of={change}
          before={wordOf(change, "before")}
          after={wordOf(change, "after")}
        />
      ))}
    </ul>
  );
}

function Change({
  of: change,
  before,
  after,
}: {
  readonly of: DocumentChange;
  readonly before: string;
  readonly after: string;
}) {
  const [tone, kind] = KINDS[change.kind];
  return (
    <li>
      <p className="changes-head">
        <Badge tone={tone}>{t(kind)}</Badge>
        <span>{placeOf(change)}</span>
      </p>
      {before !== "" && before !== after && (
        <p>
          <span className="visually-hidden">{t("changes.before")}</span>
          <del dir="auto">{before}</del>
        </p>
      )}
      {after !== "" && before !== after && (
        <p>
          <span className="visually-hidden">{t("changes.after")}</span>
          <ins dir="auto">{after}</ins>
        </p>
      )}
    </li>
  );
}

/** Where it is: the step by its kind and name, and the label of its field. */
function placeOf({ path, step }: DocumentChange): string {
  const own = PLACES[path];
  if (step === null) return own ? t(own) : (faultPlace({ path, step: null }) ?? path);
  const name = t("flow.item", {
    type: typeWord(typeOfStep(step.is)),
    name: nameOfStep(step.id, step.is),
  });
  if (path === "") return name;
  const field =
    path === "type"
      ? t("flow.types")
      : faultPlace({ path: `steps.${step.id}.${path}`, step: step.id });
  return t("changes.of", { name, field: field ?? path });
}

/** What a changed value was and is, in words. Empty: it has no short ones. */
function useValueWords(before: BotDocument, after: BotDocument) {
  const { channels, members } = useBootstrap();
  const { data } = useQuery(knownSources);
  const names = new Map<string, string>([
    ...channels.map(({ id, name }) => [id, name] as const),
    ...members.map(({ id, name }) => [id, name] as const),
    ...(data?.items ?? []).flatMap(({ id, externalId, title }) => [
      [id, title] as const,
      [externalId ?? id, title] as const,
    ]),
  ]);
  const [was, is] = [stepsOf(before), stepsOf(after)];
  return ({ path, step, ...change }: DocumentChange, side: "before" | "after"): string => {
    const value = change[side];
    const steps = side === "before" ? was : is;
    const isEdge = path === "entry" || (step !== null && EDGES.has(path));
    const one = (given: unknown): string => {
      if (isRecord(given))
        return (
          textOfStep(given["label"]) ||
          textOfStep(given["name"]) ||
          textOfStep(given["flow"]) ||
          textOfStep(given["description"])
        );
      if (typeof given === "number") return String(given);
      if (typeof given !== "string") return "";
      if (isEdge) return nameOfStep(given, steps.get(given) ?? {});
      const key = VALUES[path]?.[given];
      if (key) return t(key);
      const channel = CHANNEL_TYPES.find((type) => type === given);
      return channel ? channelWord(channel) : (names.get(given) ?? given);
    };
    if (path === "") return "";
    const all: unknown[] = Array.isArray(value) ? value : [value];
    const words = all.map(one).filter((word) => word !== "");
    if (typeof value === "boolean") return t(value ? "changes.yes" : "changes.no");
    return words.join(path === "instructions" ? "\n" : " · ");
  };
}

import { AppError, invalid } from "../../errors.ts";
import {
  AiDocument,
  BOT_BYTES,
  ExternalDocument,
  FlowDocument,
  LEAST_SCOPE,
  type BotFault,
} from "../../wire/bot.ts";
import { BOT_KINDS, type BotKind } from "../../wire/words.ts";
import { flowFaults } from "../flow/read-flow.ts";
import { lookupFaults } from "../lookup/lookup-faults.ts";
import { NO_TOPIC } from "../turn/prompt.ts";
import type { StoredBotDocument } from "./bot-store.ts";
import { draftFault, shapeFaults } from "./shape-faults.ts";

const NAME_LENGTH = 80;
const MOST_FAULTS = 50;
const SHAPES = { ai: AiDocument, flow: FlowDocument, external: ExternalDocument } as const;

/** What only the documents of a kind have to hold. Flows add theirs here. */
export type KindFaults = (document: StoredBotDocument) => readonly BotFault[];
const OF_KIND: Readonly<Record<BotKind, KindFaults>> = {
  ai: aiFaults,
  flow: flowFaults,
  external: () => [],
};

/**
 * The name and kind of a document that can be stored, also with faults, and the document as it is kept: the database forgets
 * the order of its members, so a flow without `entry` gets its first step as one. Throws VALIDATION_FAILED for what is no
 * document: no known kind, no name, more than 64 KiB.
 */
export function readDocument(document: StoredBotDocument): {
  readonly name: string;
  readonly kind: BotKind;
  readonly kept: StoredBotDocument;
} {
  const { name, kind } = document;
  const known = BOT_KINDS.find((one) => one === kind);
  if (!known) throw invalid("document.kind", `must be one of ${BOT_KINDS.join(", ")}`);
  const text = typeof name === "string" ? name.trim() : "";
  if (text === "" || Array.from(text).length > NAME_LENGTH)
    throw invalid("document.name", `must be 1 to ${NAME_LENGTH} characters`);
  const first = known === "flow" ? firstStep(document) : undefined;
  const kept = first === undefined ? document : { ...document, entry: first };
  const json = JSON.stringify(kept);
  if (json.includes("\\u0000")) throw invalid("document", "must not hold the character U+0000");
  if (Buffer.byteLength(json) > BOT_BYTES)
    throw invalid("document", `must be at most ${BOT_BYTES} bytes`);
  return { name: text, kind: known, kept };
}

/** The first of a flow's steps, where no other is named as the one that it begins with. */
function firstStep({ entry, steps }: StoredBotDocument): string | undefined {
  if (entry !== undefined || typeof steps !== "object" || steps === null) return undefined;
  return Object.keys(steps)[0];
}

/** Why a document cannot be published, at most 50 faults. Pure. */
export function faultsOf(document: StoredBotDocument): BotFault[] {
  const kind = BOT_KINDS.find((one) => one === document["kind"]);
  if (!kind) return [draftFault("kind", "KIND_UNKNOWN", "is not a kind of bot")];
  const ofShape = shapeFaults(SHAPES[kind], document).map(({ at, message, values }) =>
    draftFault(at, "SHAPE", message, values),
  );
  // What is not in the form is not read further.
  const faults = ofShape.length > 0 ? ofShape : OF_KIND[kind](document);
  return faults.slice(0, MOST_FAULTS);
}

/** Throws BOT_NOT_PUBLISHABLE with the faults, if there are any. */
export function refuseFaulty(faults: readonly BotFault[]): void {
  if (faults.length === 0) return;
  throw new AppError("BOT_NOT_PUBLISHABLE", {
    details: faults.map(({ path, message, code, values }) => ({
      path,
      message,
      code,
      ...(values && { params: values }),
    })),
    explanation: `the draft has faults: ${faults[0]?.path ?? ""} ${faults[0]?.message ?? ""}`,
  });
}

/** An AI bot says what it is for, that it is an assistant, and how to reach a person, in each of its languages. */
function aiFaults(document: StoredBotDocument): BotFault[] {
  const faults: BotFault[] = [];
  const { scope, disclosure } = document;
  const length = typeof scope === "string" ? Array.from(scope.trim()).length : 0;
  if (length < LEAST_SCOPE)
    faults.push(
      draftFault("scope", "SCOPE_SHORT", `must be at least ${LEAST_SCOPE} characters`, {
        least: LEAST_SCOPE,
      }),
    );
  faults.push(...topicFaults(document["topics"]));
  const { lookups, procedures = [] } = document as Partial<AiDocument>;
  faults.push(...lookupFaults(lookups));
  faults.push(...procedureFaults(procedures));
  const handOver = membersOf(document["handOver"]);
  const said = membersOf(disclosure);
  const text = membersOf(handOver.get("text"));
  const outside = membersOf(handOver.get("outside"));
  const spoken = ["en", "ar"].filter((one) =>
    [said, text, outside].some((all) => filled(all, one)),
  );
  for (const language of spoken.length > 0 ? spoken : ["en"]) {
    if (!filled(said, language))
      faults.push(
        draftFault(
          `disclosure.${language}`,
          "DISCLOSURE_MISSING",
          "must say that it is an automatic assistant",
          { language },
        ),
      );
    if (!filled(text, language))
      faults.push(
        draftFault(
          `handOver.text.${language}`,
          "HAND_OVER_MISSING",
          "must say that a person will answer",
          { language },
        ),
      );
  }
  return faults;
}

/** A flow is listed once: the model could not tell which is meant. */
function procedureFaults(procedures: NonNullable<AiDocument["procedures"]>): BotFault[] {
  const names = procedures.map(({ flow }) => flow.trim());
  return names.flatMap((name, n) => {
    const path = `procedures.${n}.flow`;
    if (name === "" || name === NO_TOPIC)
      return [draftFault(path, "NAME", `must have a name, and not ${NO_TOPIC}`)];
    return names.indexOf(name) < n
      ? [draftFault(path, "NAME_TWICE", "must be another name than the others", { name })]
      : [];
  });
}

/** Topics have names that tell them apart; `none` is ours. */
function topicFaults(topics: unknown): BotFault[] {
  if (!Array.isArray(topics)) return [];
  const names = topics.map((one) => {
    const name = membersOf(one).get("name");
    return typeof name === "string" ? name.trim() : "";
  });
  return names.flatMap((name, n) => {
    const path = `topics.${n}.name`;
    if (name === "" || name === NO_TOPIC)
      return [draftFault(path, "NAME", `must have a name, and not ${NO_TOPIC}`)];
    if (names.indexOf(name) < n)
      return [draftFault(path, "NAME_TWICE", "must be another name than the others", { name })];
    return [];
  });
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
const filled = (texts: ReadonlyMap<string, unknown>, language: string): boolean => {
  const text = texts.get(language);
  return typeof text === "string" && text.trim() !== "";
};

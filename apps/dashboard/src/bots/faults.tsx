import { t, type PlainKey } from "../text/t.ts";
import type { BotFault } from "./bots-query.ts";

/** Where a fault of an AI bot is, by the label of its field. */
const PLACES: Readonly<Record<string, PlainKey>> = {
  name: "bots.column.name",
  scope: "bots.scope",
  mode: "bots.mode",
  tone: "bots.tone",
  instructions: "bots.guidance",
  "trigger.when": "bots.when",
  "disclosure.en": "bots.disclosure.en",
  "disclosure.ar": "bots.disclosure.ar",
  "handOver.text.en": "bots.handOver.en",
  "handOver.text.ar": "bots.handOver.ar",
  "handOver.outside.en": "bots.outside.en",
  "handOver.outside.ar": "bots.outside.ar",
  "handOver.words": "bots.words",
  "limits.turnsPerConversation": "bots.turns",
  "limits.costPerDay": "bots.money",
};

const WORDS: Readonly<Record<string, PlainKey>> = {
  SCOPE_SHORT: "bots.fault.scope",
  DISCLOSURE_MISSING: "bots.fault.disclosure",
  HAND_OVER_MISSING: "bots.fault.handOver",
};

/** Why a draft cannot be published: each fault with where it is. */
export function FaultList({ faults }: { readonly faults: readonly BotFault[] }) {
  return (
    <ul className="bots-faults" aria-label={t("bots.faults")}>
      {faults.map(({ path, step, code, message }) => {
        const place = PLACES[path];
        const words = WORDS[code];
        return (
          <li key={`${step ?? ""} ${path} ${code}`}>
            <strong>{place ? t(place) : <bdi dir="ltr">{path}</bdi>}</strong>
            {words ? (
              <span>{t(words)}</span>
            ) : (
              <span lang="en" dir="ltr">
                {message}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

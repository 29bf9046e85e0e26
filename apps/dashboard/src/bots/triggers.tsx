import { useId } from "react";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Tick } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { channelWord } from "../kit/words.ts";
import { t } from "../text/t.ts";
import { listAt, put, textAt } from "./ai-form.ts";
import type { BotDocument } from "./bots-query.ts";
import { Radios } from "./radios.tsx";
import { StepWords } from "./step-fields.tsx";

/** When a bot begins, by the opening hours. */
const WHENS = [
  ["always", "bots.when.always"],
  ["outside_hours", "bots.when.outside"],
  ["during_hours", "bots.when.during"],
] as const;
/** A flow may be there for an assistant alone. */
const WHENS_OF_FLOW = [...WHENS, ["by_assistant", "bots.when.assistant"]] as const;

/** What begins a bot in a conversation: where, when, and at which words. */
export function Triggers({
  document,
  mayWrite,
  change,
}: {
  readonly document: BotDocument;
  readonly mayWrite: boolean;
  readonly change: (make: (document: BotDocument) => BotDocument, field?: string) => void;
}) {
  const title = useId();
  const chosen = listAt(document, "trigger", "channels");
  const places = usePlaces(chosen);
  const tick = (one: string, on: boolean): void => {
    if (!mayWrite) return;
    change((now) => {
      const others = listAt(now, "trigger", "channels").filter((id) => id !== one);
      const after = on ? [...others, one] : others;
      return put(now, ["trigger", "channels"], after.length > 0 ? after : undefined);
    });
  };
  return (
    <Part title={t("flow.tab.triggers")}>
      <p className="hint">{t("flow.trigger.lead")}</p>
      <div role="group" aria-labelledby={title} className="flow-group">
        <h3 id={title}>{t("flow.trigger.channels")}</h3>
        <p className="hint">{t("flow.trigger.channels.hint")}</p>
        <div className="flow-ticks">
          {places.map(([id, name]) => (
            <Tick
              key={id}
              label={<bdi>{name}</bdi>}
              on={chosen.includes(id)}
              change={(on) => tick(id, on)}
            />
          ))}
        </div>
      </div>
      <When document={document} mayWrite={mayWrite} change={change} />
      <StepWords
        of={{
          step: document,
          mayWrite,
          put: (_, words) =>
            change((now) => put(now, ["trigger", "words"], words), "trigger.words"),
        }}
        at="trigger.words"
        label={t("flow.trigger.words")}
        hint={t("flow.trigger.words.hint")}
      />
    </Part>
  );
}

/** Whether a bot begins at any time, or by the opening hours. */
export function When({
  document,
  mayWrite,
  change,
}: {
  readonly document: BotDocument;
  readonly mayWrite: boolean;
  readonly change: (make: (document: BotDocument) => BotDocument) => void;
}) {
  return (
    <Radios
      label={t("bots.when")}
      options={document["kind"] === "flow" ? WHENS_OF_FLOW : WHENS}
      value={textAt(document, "trigger", "when") || "always"}
      mayWrite={mayWrite}
      choose={(when) => change((now) => put(now, ["trigger", "when"], when))}
    />
  );
}

/** The kinds of channels of the workspace, each channel of a kind that it has several of, and what else is chosen. */
function usePlaces(chosen: readonly string[]): readonly (readonly [id: string, name: string])[] {
  const { channels } = useBootstrap();
  const places: [string, string][] = [];
  for (const [type, own] of Map.groupBy(channels, (one) => one.type)) {
    places.push([type, channelWord(type)]);
    for (const { id, name } of own)
      if (own.length > 1 || chosen.includes(id))
        places.push([id, `${channelWord(type)} · ${name}`]);
  }
  const known = new Set(places.map(([id]) => id));
  const others = chosen.filter((one) => !known.has(one));
  return [
    ...places,
    ...others.map((one) => [one, `${t("flow.trigger.unknown")} · ${one}`] as const),
  ];
}

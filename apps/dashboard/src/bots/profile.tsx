import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { Part } from "../kit/page.tsx";
import { useMay } from "../kit/use-may.ts";
import { t, type PlainKey } from "../text/t.ts";
import { listAt, numberAt, numberOf, put, textAt, wordsOf } from "./ai-form.ts";
import { modelNamesQuery, type Bot } from "./bots-query.ts";
import type { Editing } from "./item-list.tsx";
import { Lookups } from "./lookups.tsx";
import { Radios } from "./radios.tsx";
import { TextPair } from "./text-pair.tsx";
import { Topics } from "./topics.tsx";
import { When } from "./triggers.tsx";

/** An AI bot says at least this much of what it is for. */
const LEAST_SCOPE = 40;
const MOST_GUIDANCE = 50;

const MODES = [
  ["suggest", "bots.mode.suggest"],
  ["autopilot", "bots.mode.autopilot"],
] as const;
const TONES = [
  ["friendly", "bots.tone.friendly"],
  ["neutral", "bots.tone.neutral"],
  ["formal", "bots.tone.formal"],
] as const;

/** What an AI bot is for, how it speaks, and when it hands over. */
export function Profile({
  bot,
  keep,
  ...editing
}: Editing & {
  readonly bot: Bot;
  /** Stores what is written. Null: the member cannot write. */
  readonly keep: (() => Promise<Bot>) | null;
}) {
  return (
    <>
      <Work {...editing} />
      <Voice {...editing} />
      <Topics {...editing} />
      <Said {...editing} />
      <Lookups {...editing} bot={bot} keep={keep} />
      <Limits {...editing} />
    </>
  );
}

function Work({ document, mayWrite, change }: Editing) {
  const scope = textAt(document, "scope");
  const length = Array.from(scope.trim()).length;
  return (
    <Part title={t("bots.part.work")}>
      <TextInput
        isRequired
        isReadOnly={!mayWrite}
        label={t("bots.column.name")}
        value={textAt(document, "name")}
        onChange={(name) => change((now) => put(now, ["name"], name))}
        maxLength={80}
      />
      <Radios
        label={t("bots.mode")}
        options={MODES}
        value={textAt(document, "mode")}
        mayWrite={mayWrite}
        choose={(mode) => change((now) => put(now, ["mode"], mode))}
      />
      <When document={document} mayWrite={mayWrite} change={change} />
      <div className="bots-counted">
        <TextInput
          rows={4}
          isReadOnly={!mayWrite}
          label={t("bots.scope")}
          hint={t("bots.scope.hint")}
          value={scope}
          onChange={(value) => change((now) => put(now, ["scope"], value))}
          maxLength={2000}
        />
        <p role="status" data-short={length < LEAST_SCOPE || undefined}>
          {t("bots.scope.count", { count: length, least: LEAST_SCOPE })}
        </p>
      </div>
    </Part>
  );
}

function Voice({ document, mayWrite, change }: Editing) {
  const lines = listAt(document, "instructions");
  const [adding, setAdding] = useState("");
  const write = (make: (lines: readonly string[]) => readonly string[]) =>
    change((now) => {
      const after = make(listAt(now, "instructions"));
      return put(now, ["instructions"], after.length > 0 ? after : undefined);
    });
  const add = () => {
    const line = adding.trim();
    if (line !== "") write((now) => [...now.filter((one) => one !== line), line]);
    setAdding("");
  };
  return (
    <Part title={t("bots.part.voice")}>
      <Radios
        label={t("bots.tone")}
        options={TONES}
        value={textAt(document, "tone") || "friendly"}
        mayWrite={mayWrite}
        choose={(tone) => change((now) => put(now, ["tone"], tone))}
      />
      <div className="bots-list">
        <h3>{t("bots.guidance")}</h3>
        <p className="hint">{t("bots.guidance.hint")}</p>
        <ul aria-label={t("bots.guidance")}>
          {lines.length === 0 && <li className="hint">{t("bots.list.none")}</li>}
          {lines.map((line) => (
            <li key={line} className="bots-line">
              <bdi>{line}</bdi>
              {mayWrite && (
                <Button
                  className="quiet"
                  aria-label={t("bots.guidance.remove", { line })}
                  onPress={() => write((now) => now.filter((one) => one !== line))}
                >
                  <Icon name="x" />
                </Button>
              )}
            </li>
          ))}
        </ul>
        {mayWrite && lines.length < MOST_GUIDANCE && (
          <form
            className="bots-add"
            onSubmit={(event) => {
              event.preventDefault();
              add();
            }}
          >
            <TextInput
              label={t("bots.guidance.new")}
              value={adding}
              onChange={setAdding}
              maxLength={1000}
            />
            <Button type="submit" isDisabled={adding.trim() === ""}>
              {t("bots.guidance.add")}
            </Button>
          </form>
        )}
      </div>
    </Part>
  );
}

/** The texts that it says word for word, each in both languages. */
const TEXTS = [
  [["disclosure"], "bots.disclosure.en", "bots.disclosure.ar", "bots.disclosure.hint"],
  [["handOver", "text"], "bots.handOver.en", "bots.handOver.ar", null],
  [["handOver", "outside"], "bots.outside.en", "bots.outside.ar", "bots.outside.hint"],
] as const satisfies readonly (readonly [
  readonly [string, ...string[]],
  PlainKey,
  PlainKey,
  PlainKey | null,
])[];

const atLanguage = (
  [first, ...rest]: readonly [string, ...string[]],
  language: string,
): readonly [string, ...string[]] => [first, ...rest, language];

function Said({ document, mayWrite, change }: Editing) {
  const [words, setWords] = useState(() => listAt(document, "handOver", "words").join(", "));
  return (
    <Part title={t("bots.part.said")}>
      {TEXTS.map(([path, en, ar, hint]) => (
        <TextPair
          key={en}
          labels={[en, ar]}
          textOf={(language) => textAt(document, ...atLanguage(path, language))}
          write={(language, text) =>
            change((now) => put(now, atLanguage(path, language), text === "" ? undefined : text))
          }
          isReadOnly={!mayWrite}
          most={4096}
          rows={3}
          hint={hint === null ? undefined : t(hint)}
        />
      ))}
      <TextInput
        isReadOnly={!mayWrite}
        label={t("bots.words")}
        hint={t("bots.words.hint")}
        value={words}
        onChange={(line) => {
          setWords(line);
          const list = wordsOf(line);
          change((now) => put(now, ["handOver", "words"], list.length > 0 ? list : undefined));
        }}
        maxLength={4000}
      />
    </Part>
  );
}

function Limits({ document, mayWrite, change }: Editing) {
  const limit = (name: "turnsPerConversation" | "costPerDay", label: PlainKey, hint: PlainKey) => (
    <TextInput
      type="number"
      code
      isReadOnly={!mayWrite}
      label={t(label)}
      hint={t(hint)}
      value={numberAt(document, "limits", name)}
      onChange={(field) => change((now) => put(now, ["limits", name], numberOf(field)))}
    />
  );
  return (
    <Part title={t("bots.part.limits")}>
      <ModelName document={document} mayWrite={mayWrite} change={change} />
      <div className="bots-pair">
        {limit("turnsPerConversation", "bots.turns", "bots.turns.hint")}
        {limit("costPerDay", "bots.money", "bots.money.hint")}
      </div>
    </Part>
  );
}

/** Which model of the workspace's provider answers; without a choice, the one of Settings, AI. */
function ModelName({ document, mayWrite, change }: Editing) {
  const chosen = textAt(document, "model");
  // Who may not read the settings sees what the document says.
  const { data } = useQuery({ ...modelNamesQuery, enabled: useMay("listModelNames") });
  const usual = data?.default ?? null;
  const names = new Set([...(chosen === "" ? [] : [chosen]), ...(data?.items ?? [])]);
  return (
    <Choice
      label={t("bots.model")}
      hint={t("bots.model.hint")}
      disabled={!mayWrite}
      value={chosen}
      options={[
        {
          value: "",
          name: usual === null ? t("bots.model.default") : t("bots.model.usual", { name: usual }),
        },
        ...[...names].map((name) => ({ value: name, name })),
      ]}
      change={(name) => change((now) => put(now, ["model"], name === "" ? undefined : name))}
    />
  );
}

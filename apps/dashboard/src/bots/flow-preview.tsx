import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Failure } from "../kit/failure.tsx";
import { listOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import type { CustomerLanguage, PreviewLine, Trying } from "./use-preview.ts";

const LANGUAGES = [
  ["en", "flow.lang.en"],
  ["ar", "flow.lang.ar"],
] as const satisfies readonly (readonly [CustomerLanguage, string])[];

/** The phone beside the steps: the reader is the customer, and the draft answers. */
export function FlowPreview({
  trying,
  isOpen,
  close,
}: {
  readonly trying: Trying;
  /** On a narrow page it lies over the steps. */
  readonly isOpen: boolean;
  readonly close: () => void;
}) {
  const { preview, failed, language, speak, say, startOver, isFull } = trying;
  const [words, setWords] = useState("");
  const isReady = words.trim() !== "" && !isFull;
  const waits = preview?.state === "waiting";
  const began = (preview?.lines.length ?? 0) > 0;
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ key }: KeyboardEvent) => key === "Escape" && close();
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, [isOpen, close]);
  return (
    <section
      className="flow-preview"
      aria-label={t("flow.preview")}
      data-open={isOpen || undefined}
    >
      <div className="flow-preview-head">
        <h2>{t("flow.preview")}</h2>
        <Button className="quiet" isDisabled={!began} onPress={startOver}>
          <Icon name="refresh-cw" />
          {t("flow.preview.again")}
        </Button>
        <Button className="quiet flow-preview-close" onPress={close}>
          <Icon name="x" />
          {t("flow.preview.close")}
        </Button>
      </div>
      <p className="hint">{t("flow.preview.hint")}</p>
      <Log trying={trying} />
      <form
        className="bots-add flow-say"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          say({ text: words.trim() });
          setWords("");
        }}
      >
        <TextInput
          label={t("flow.preview.say")}
          value={words}
          onChange={setWords}
          maxLength={4_096}
          autoComplete="off"
        />
        <Button type="submit" className="primary" isDisabled={!isReady}>
          {t("flow.preview.sayIt")}
        </Button>
      </form>
      <div className="flow-preview-foot">
        <Choice
          label={t("flow.preview.language")}
          value={language}
          options={LANGUAGES.map(([value, name]) => ({ value, name: t(name) }))}
          change={speak}
        />
        <Button isDisabled={!waits || isFull} onPress={() => say({})}>
          <Icon name="timer" />
          {t("flow.preview.late")}
        </Button>
      </div>
      <Failure of={failed} />
    </section>
  );
}

/** What was said and done. It stays at the newest line. */
function Log({ trying: { preview, language, say, isFull } }: { readonly trying: Trying }) {
  const lines = preview?.lines ?? [];
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const log = end.current;
    if (log && lines.length > 0) log.scrollTop = log.scrollHeight;
  }, [lines.length]);
  const hello = { en: "Hello", ar: "مرحبًا" }[language];
  return (
    <div
      ref={end}
      role="log"
      aria-label={t("flow.preview.log")}
      // It scrolls, so the keyboard must reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="flow-log"
    >
      {preview && lines.length === 0 && (
        <div className="flow-log-empty">
          <p>{t("flow.preview.empty")}</p>
          <Button onPress={() => say({ text: hello })}>
            <span lang={language}>{hello}</span>
          </Button>
        </div>
      )}
      {lines.map((line, index) =>
        line.by === "flow" ? (
          <div key={index} className="flow-deed">
            <p>{deedText(line)}</p>
            {line.choices.map(({ text, payload }) => (
              <Button
                key={payload}
                className="button flow-press"
                isDisabled={isFull || index < lines.length - 1}
                onPress={() => say({ payload })}
              >
                {payload === "ok" || payload === "failed" ? (
                  t(`flow.did.${payload}`)
                ) : (
                  <bdi>{text}</bdi>
                )}
              </Button>
            ))}
          </div>
        ) : (
          <article
            key={index}
            className={line.by === "customer" ? "flow-bubble flow-bubble-own" : "flow-bubble"}
            aria-label={t(line.by === "customer" ? "flow.preview.you" : "flow.preview.bot")}
          >
            <p dir="auto">{line.text}</p>
            {line.choices.map(({ text, payload }) => (
              <Button
                key={payload}
                className="button flow-press"
                isDisabled={isFull}
                onPress={() => say({ payload, text })}
              >
                <bdi>{text}</bdi>
              </Button>
            ))}
          </article>
        ),
      )}
      {preview?.state === "handed_over" && <p className="flow-deed">{t("flow.preview.handed")}</p>}
    </div>
  );
}

/** What an answer is kept as: the name, the e-mail, or an attribute by its own name. */
const keptWord = (name: string): string =>
  name === "name" || name === "email" ? t(`flow.keep.${name}`) : name;

/** What a flow did beside writing. */
function deedText({ did, text, names, minutes, reason }: PreviewLine): string {
  switch (did) {
    case "tag":
    case "untag":
    case "label":
    case "unlabel":
      return t(`flow.did.${did}`, { names: listOf(names) });
    case "keep":
      return t("flow.did.keep", { names: listOf(names.map(keptWord)), text: text ?? "" });
    case "note":
    case "call":
    case "ai":
      return t(`flow.did.${did}`, { text: text ?? "" });
    case "classify":
    case "assign":
      return t(`flow.did.${did}`);
    case "wait":
      return t("flow.did.wait", { minutes: minutes ?? 0 });
    case "hand_over":
      if (reason === "asked") return t("flow.did.hand_over.asked");
      return text === null || text === ""
        ? t("flow.did.hand_over")
        : t("flow.did.hand_over.text", { text });
    case "time_out":
      return t("flow.did.time_out");
    case "end":
      return t("flow.did.end");
    case null:
      return text ?? "";
  }
}

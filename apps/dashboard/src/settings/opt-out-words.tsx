import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { Icon } from "../kit/icon.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { SettingsPage } from "./settings-page.tsx";

type Words = AnswerOf<"listConsentWords">;

/** `/settings/opt-out-words`: the messages that opt a contact out, or in again. */
export function OptOutWords() {
  const words = useQuery({
    queryKey: ["consent-words"],
    queryFn: ({ signal }) => call("listConsentWords", { signal }),
    throwOnError: failsPage,
  });
  const { data } = words;
  return (
    <SettingsPage title={t("shell.settings.stopWords")} lead={t("keys.words.lead")}>
      {data && (
        <>
          <Own words={data.own} changed={() => void words.refetch()} />
          <Everywhere title={t("keys.words.stop")} words={data.stop} />
          <Everywhere
            title={t("keys.words.typed")}
            hint={t("keys.words.typed.hint")}
            words={data.typed}
          />
          <Everywhere title={t("keys.words.start")} words={data.start} />
        </>
      )}
    </SettingsPage>
  );
}

/** The workspace's own words. */
function Own({ words, changed }: { readonly words: Words["own"]; readonly changed: () => void }) {
  const [text, setText] = useState("");
  const [wish, setWish] = useState<"stop" | "start">("stop");
  const add = useCall(async () => {
    await call("addConsentWord", { body: { text: text.trim(), wish } });
    setText("");
    changed();
  });
  const remove = useCall(async (word: string) => {
    await call("removeConsentWord", { params: { word } });
    changed();
  });
  return (
    <Part title={t("keys.words.own")}>
      <p className="hint">{t("keys.words.own.hint")}</p>
      {words.length > 0 && (
        <ul className="word-list">
          {words.map(({ word, shown, wish: asks }) => (
            <li key={word}>
              <bdi>{shown}</bdi>
              <span>{t(asks === "stop" ? "keys.words.out" : "keys.words.in")}</span>
              <Button
                className="quiet"
                aria-label={t("keys.words.remove", { word: shown })}
                onPress={() => remove.start(word)}
              >
                <Icon name="x" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="word-form field-beside"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") add.start();
        }}
      >
        <TextInput label={t("keys.words.word")} value={text} onChange={setText} maxLength={60} />
        <Choice
          label={t("keys.words.wish")}
          value={wish}
          change={setWish}
          options={[
            { value: "stop", name: t("keys.words.out") },
            { value: "start", name: t("keys.words.in") },
          ]}
        />
        <Button type="submit" className="primary" isPending={add.busy}>
          {t("kit.add")}
        </Button>
      </form>
      <Failure of={add.failed ?? remove.failed} />
    </Part>
  );
}

/** Words of every workspace. */
function Everywhere({
  title,
  hint,
  words,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly words: readonly string[];
}) {
  return (
    <Part title={title}>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <ul className="word-list">
        {words.map((word) => (
          <li key={word}>
            <bdi>{word}</bdi>
          </li>
        ))}
      </ul>
    </Part>
  );
}

import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { readAgain } from "./sources-query.ts";

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The form of a new snippet. */
export function NewSnippet({ close }: { readonly close: () => void }) {
  const [title, setTitle] = useState("");
  const [en, setEn] = useState("");
  const [ar, setAr] = useState("");
  const [askedAs, setAskedAs] = useState("");
  const isReady = title.trim() !== "" && (en.trim() !== "" || ar.trim() !== "");
  const save = useCall(async () => {
    const texts = { ...(en.trim() !== "" && { en }), ...(ar.trim() !== "" && { ar }) };
    await call("addSnippet", { body: { title, texts, askedAs: linesOf(askedAs) } });
    await readAgain();
    close();
  });
  return (
    <AskDialog
      wide
      title={t("knowledge.snippet.new")}
      close={close}
      submit={() => {
        if (isReady) save.start();
      }}
    >
      <TextInput
        autoFocus
        isRequired
        label={t("knowledge.column.title")}
        value={title}
        onChange={setTitle}
        maxLength={200}
      />
      <div className="knowledge-pair">
        <TextInput
          rows={6}
          label={t("knowledge.text.en")}
          value={en}
          onChange={setEn}
          maxLength={20_000}
        />
        <TextInput
          rows={6}
          label={t("knowledge.text.ar")}
          value={ar}
          onChange={setAr}
          maxLength={20_000}
        />
      </div>
      <TextInput
        rows={3}
        label={t("knowledge.askedAs")}
        hint={t("knowledge.askedAs.lines")}
        value={askedAs}
        onChange={setAskedAs}
        maxLength={15_000}
      />
      <Failure of={save.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button type="submit" className="primary" isDisabled={!isReady} isPending={save.busy}>
          {t("kit.save")}
        </Button>
      </div>
    </AskDialog>
  );
}

/** Asks for the addresses of pages, one a line. */
export function AddPages({ close }: { readonly close: () => void }) {
  const [text, setText] = useState("");
  const addresses = linesOf(text);
  const add = useCall(async () => {
    await call("addPages", { body: { addresses } });
    await readAgain();
    close();
  });
  return (
    <AskDialog
      wide
      title={t("knowledge.pages.add")}
      close={close}
      submit={() => {
        if (addresses.length > 0) add.start();
      }}
    >
      <TextInput
        autoFocus
        isRequired
        code
        rows={6}
        label={t("knowledge.pages.addresses")}
        hint={t("knowledge.pages.hint")}
        placeholder="https://"
        value={text}
        onChange={setText}
      />
      <Failure
        of={add.failed}
        {...(add.failed?.code === "VALIDATION_FAILED" && { text: t("knowledge.pages.refused") })}
      />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          type="submit"
          className="primary"
          isDisabled={addresses.length === 0}
          isPending={add.busy}
        >
          {t("knowledge.pages.add")}
        </Button>
      </div>
    </AskDialog>
  );
}

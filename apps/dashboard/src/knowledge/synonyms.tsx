import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { queryKey, readAgain } from "./sources-query.ts";

/** The tab of words of one meaning: a group a line, its words parted by commas. */
export function Synonyms() {
  const { data } = useQuery({
    queryKey: queryKey("synonyms"),
    queryFn: ({ signal }) => call("readSynonyms", { signal }),
    throwOnError: failsPage,
  });
  // It outlives the form, which begins again with what was saved.
  const [saved, setSaved] = useState(false);
  return (
    data && (
      <>
        <Groups key={JSON.stringify(data.groups)} groups={data.groups} onSaved={setSaved} />
        {saved && <p role="status">{t("knowledge.saved")}</p>}
      </>
    )
  );
}

function Groups({
  groups,
  onSaved,
}: {
  readonly groups: readonly (readonly string[])[];
  readonly onSaved: (saved: boolean) => void;
}) {
  const mayWrite = useMay("saveSynonyms");
  const stored = groups.map((group) => group.join(", ")).join("\n");
  const [text, setText] = useState(stored);
  const save = useCall(async () => {
    await call("saveSynonyms", { body: { groups: groupsOf(text) } });
    onSaved(true);
    await readAgain();
  });
  return (
    <form
      className="knowledge-synonyms"
      onSubmit={(event) => {
        event.preventDefault();
        save.start();
      }}
    >
      <p>{t("knowledge.synonyms.lead")}</p>
      <TextInput
        rows={10}
        label={t("knowledge.synonyms.groups")}
        hint={t("knowledge.synonyms.hint")}
        value={text}
        isReadOnly={!mayWrite}
        onChange={(typed) => {
          onSaved(false);
          setText(typed);
        }}
      />
      <Failure of={save.failed} />
      {mayWrite && (
        <div className="ask-buttons">
          <Button
            type="submit"
            className="primary"
            isDisabled={text === stored}
            isPending={save.busy}
          >
            {t("kit.save")}
          </Button>
        </div>
      )}
    </form>
  );
}

const groupsOf = (text: string): string[][] =>
  text
    .split("\n")
    .map((line) =>
      line
        .split(/[,،]/u)
        .map((word) => word.trim())
        .filter((word) => word !== ""),
    )
    .filter((group) => group.length > 1);

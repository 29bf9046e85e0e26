import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";
import { ChangedMeanwhile, useShown, useVersion } from "../kit/changed-meanwhile.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { queryKey, readAgain } from "./sources-query.ts";

/** The tab of words of one meaning: a group a line, its words parted by commas. */
export function Synonyms() {
  const { data } = useQuery({ ...synonymsQuery, throwOnError: failsPage });
  // It outlives the form, which begins again with what was saved.
  const [saved, setSaved] = useState(false);
  return (
    data && (
      <>
        <ShownGroups synonyms={data} onSaved={setSaved} />
        {saved && <p role="status">{t("knowledge.saved")}</p>}
      </>
    )
  );
}

const synonymsQuery = queryOptions({
  queryKey: queryKey("synonyms"),
  queryFn: ({ signal }) => call("readSynonyms", { signal }),
});

interface Shown {
  readonly synonyms: AnswerOf<"readSynonyms">;
  readonly onSaved: (saved: boolean) => void;
}

function ShownGroups(props: Shown) {
  const { shown, hold, release } = useShown(props.synonyms.etag);
  return <Groups key={shown} {...props} hold={hold} release={release} />;
}

function Groups({
  synonyms: { groups, etag },
  onSaved,
  hold,
  release,
}: Shown & { readonly hold: () => void; readonly release: () => void }) {
  const mayWrite = useMay("saveSynonyms");
  const stored = groups.map((group) => group.join(", ")).join("\n");
  const [text, setText] = useState(stored);
  const version = useVersion(etag);
  const save = useCall(async (over?: string) => {
    const body = { groups: groupsOf(text) };
    await version.guard((ifMatch) => call("saveSynonyms", { body, ifMatch }), over);
    onSaved(true);
    await readAgain();
    release();
  });
  const load = async (): Promise<void> => {
    await queryClient.fetchQuery({ ...synonymsQuery, staleTime: 0 });
    release();
  };
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
          hold();
          setText(typed);
        }}
      />
      <ChangedMeanwhile version={version} save={save} load={load} />
      <Failure of={version.other === null ? save.failed : null} />
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

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { Tick } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { queryKey, readAgain } from "./sources-query.ts";

/** Asks which shared saved replies bots may answer from. */
export function AddReplies({ close }: { readonly close: () => void }) {
  const { data } = useQuery({
    queryKey: queryKey("saved-replies"),
    queryFn: ({ signal }) => call("listReplySources", { signal }),
    throwOnError: failsPage,
  });
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const free = (data?.items ?? []).filter(({ sourceId }) => sourceId === null);
  const known = (data?.items ?? []).length - free.length;
  const add = useCall(async () => {
    await call("addSavedReplies", { body: { savedReplyIds: [...ticked] } });
    await readAgain();
    close();
  });
  const tick = (ids: readonly string[], on: boolean) => {
    const next = new Set(ticked);
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    setTicked(next);
  };
  return (
    <AskDialog
      wide
      title={t("knowledge.replies.add")}
      close={close}
      submit={() => {
        if (ticked.size > 0) add.start();
      }}
    >
      <p>{t("knowledge.replies.lead")}</p>
      {known > 0 && (
        <p className="hint">
          {t("knowledge.replies.known", { count: known, shown: String(known) })}
        </p>
      )}
      {data && free.length === 0 && (
        <p role="status">
          {t(known > 0 ? "knowledge.replies.all" : "knowledge.replies.none")}{" "}
          <Link href="/settings/saved-replies">{t("shell.settings.savedReplies")}</Link>
        </p>
      )}
      {free.length > 1 && (
        <Tick
          label={t("knowledge.replies.every")}
          on={free.every(({ id }) => ticked.has(id))}
          change={(on) =>
            tick(
              free.map(({ id }) => id),
              on,
            )
          }
        />
      )}
      {free.length > 0 && (
        <ul className="knowledge-replies" aria-label={t("shell.settings.savedReplies")}>
          {free.map(({ id, title, text }) => (
            <li key={id}>
              <Tick
                label={
                  <span className="knowledge-reply">
                    <bdi>{title}</bdi>
                    <span className="hint" dir="auto">
                      {text}
                    </span>
                  </span>
                }
                on={ticked.has(id)}
                change={(on) => tick([id], on)}
              />
            </li>
          ))}
        </ul>
      )}
      <Failure of={add.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          type="submit"
          className="primary"
          isDisabled={ticked.size === 0}
          isPending={add.busy}
        >
          {t("knowledge.replies.use")}
        </Button>
      </div>
    </AskDialog>
  );
}

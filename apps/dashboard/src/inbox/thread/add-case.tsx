import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../../api/call.ts";
import type { MessageEntry } from "../../api/shapes.ts";
import { CaseDialog } from "../../bots/case-dialog.tsx";
import { AskDialog } from "../../kit/dialog.tsx";
import { t } from "../../text/t.ts";
import { talkCase } from "./talk-case.ts";
import { useThread } from "./threads.ts";

/** The dialog of a new case, which begins with a bot's answer in a thread and what the customer asked. */
export function AddCase({
  conversationId,
  entry,
  turnId,
  close,
}: {
  readonly conversationId: string;
  readonly entry: MessageEntry;
  readonly turnId: string;
  readonly close: () => void;
}) {
  const { entries } = useThread(conversationId);
  // A message that arrives while the dialog is open changes nothing in it.
  const [before] = useState(entries);
  const { data: turn, error } = useQuery({
    queryKey: ["turn", turnId],
    queryFn: ({ signal }) => call("readTurn", { params: { id: turnId }, signal }),
  });
  if (!turn && error === null) return null;
  // The message also holds that an assistant writes, which is no part of the answer.
  const given = turn && talkCase(before, { id: entry.id, text: turn.text }, turn.decision);
  if (!turn || !given)
    return (
      <AskDialog title={t("thread.case.add")} close={close}>
        <p role="alert">{t(turn ? "thread.case.none" : "thread.sources.deleted")}</p>
        <div className="ask-buttons">
          <Button onPress={close}>{t("kit.close")}</Button>
        </div>
      </AskDialog>
    );
  return (
    <CaseDialog
      mayWrite
      botId={turn.botId}
      of={null}
      given={given}
      conversationId={conversationId}
      close={close}
    />
  );
}

import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { TextInput, Tick } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { readAgain, type Bot } from "./bots-query.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";
import { FaultList } from "./faults.tsx";

/** Asks before the draft becomes the next version, and says what keeps it from that. */
export function PublishBot({
  bot,
  close,
  done,
}: {
  readonly bot: Bot;
  readonly close: () => void;
  readonly done: (published: AnswerOf<"publishBot">) => void;
}) {
  const [note, setNote] = useState("");
  const [isUntested, setUntested] = useState(false);
  const publish = useCall(async () => {
    const body = { ...(note.trim() !== "" && { note: note.trim() }), untested: isUntested };
    done(await call("publishBot", { params: { id: bot.id }, body }));
    await readAgain();
    close();
  });
  const hasFaults = bot.faults.length > 0;
  return (
    <AskDialog
      wide
      title={t("bots.publish.name", { name: bot.name })}
      close={close}
      submit={() => {
        if (!hasFaults) publish.start();
      }}
    >
      {hasFaults ? (
        <>
          <p>{t("bots.publish.faults")}</p>
          <FaultList faults={bot.faults} />
        </>
      ) : (
        <>
          <p>{t("bots.publish.text", { number: (bot.version ?? 0) + 1 })}</p>
          <TextInput
            label={t("bots.publish.note")}
            hint={t("bots.publish.note.hint")}
            value={note}
            onChange={setNote}
            maxLength={500}
          />
        </>
      )}
      <FailureOfBot of={publish.failed} />
      {publish.failed?.code === "CASES_FAIL" && (
        <Tick label={t("bots.publish.untested")} on={isUntested} change={setUntested} />
      )}
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button type="submit" className="primary" isDisabled={hasFaults} isPending={publish.busy}>
          {t("bots.publish")}
        </Button>
      </div>
    </AskDialog>
  );
}

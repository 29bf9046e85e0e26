import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import type { Version } from "../kit/changed-meanwhile.tsx";
import { AskDialog } from "../kit/dialog.tsx";
import { TextInput, Tick } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { count } from "../kit/format.ts";
import { readAgain, versionsQuery, type Bot } from "./bots-query.ts";
import { Changes } from "./changes.tsx";
import { casesQuery, type CaseList } from "./cases-query.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";
import { FaultList } from "./faults.tsx";

/** Asks before the draft becomes the next version, and says what keeps it from that. */
export function PublishBot({
  bot,
  guard,
  close,
  showCases,
  done,
}: {
  readonly bot: Bot;
  /** Publishes nothing but the draft that is shown here. */
  readonly guard: Version["guard"];
  readonly close: () => void;
  /** Opens the cases of the bot. */
  readonly showCases: () => void;
  readonly done: (published: AnswerOf<"publishBot">) => void;
}) {
  const [note, setNote] = useState("");
  const [isUntested, setUntested] = useState(false);
  const publish = useCall(async () => {
    const body = { ...(note.trim() !== "" && { note: note.trim() }), untested: isUntested };
    const publishes = (ifMatch: string | undefined) =>
      call("publishBot", { params: { id: bot.id }, body, ifMatch });
    done(await guard(publishes, bot.etag));
    await readAgain();
    close();
  });
  const hasFaults = bot.faults.length > 0;
  const { data: cases } = useQuery({
    ...casesQuery(bot.id),
    // The draft was saved just now, so its cases may not be run any more.
    staleTime: 0,
    enabled: bot.kind === "ai",
  });
  const fails = cases !== undefined && cases.failed + cases.untested > 0;
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
          <FaultList faults={bot.faults} document={bot.document} />
        </>
      ) : (
        <>
          <p>{t("bots.publish.text", { number: (bot.version ?? 0) + 1 })}</p>
          <ChangesSince bot={bot} />
          <TextInput
            label={t("bots.publish.note")}
            hint={t("bots.publish.note.hint")}
            value={note}
            onChange={setNote}
            maxLength={500}
          />
          {cases && cases.items.length > 0 && <StateOfCases of={cases} show={showCases} />}
        </>
      )}
      <FailureOfBot of={publish.failed} />
      {!hasFaults && (fails || publish.failed?.code === "CASES_FAIL") && (
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

/** What the draft changes of what is published now. */
function ChangesSince({ bot: { id, version, document } }: { readonly bot: Bot }) {
  const { data } = useQuery({ ...versionsQuery(id), enabled: version !== null });
  const published = data?.items.find(({ number }) => number === version);
  if (!published) return null;
  const title = t("changes.since", { number: published.number });
  return (
    <div className="changes-part">
      <h3>{title}</h3>
      <Changes name={title} before={published.document} after={document} />
    </div>
  );
}

/** How the cases stand for the draft: the sum, or a link to those that fail. */
function StateOfCases({
  of: { items, passed, failed, untested },
  show,
}: {
  readonly of: CaseList;
  readonly show: () => void;
}) {
  return (
    <div className="cases-publish">
      {failed > 0 ? (
        <Link onPress={show}>
          {t("cases.publish.fail", { count: failed, shown: count(failed) })}
        </Link>
      ) : (
        <p role="status">
          {t("cases.publish.passed", { passed: count(passed), count: count(items.length) })}
        </p>
      )}
      {untested > 0 && (
        <p className="hint">
          {t("cases.publish.untested", { count: untested, shown: count(untested) })}
        </p>
      )}
    </div>
  );
}

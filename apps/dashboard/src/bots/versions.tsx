import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Choice } from "../kit/fields.tsx";
import { count, momentOf } from "../kit/format.ts";
import { DataTable, Nothing } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { readAgain, versionsQuery, type Bot, type BotDocument } from "./bots-query.ts";
import { Changes } from "./changes.tsx";
import { download } from "./document-file.ts";

type Version = AnswerOf<"listBotVersions">["items"][number];
const MEMBER = "member:";

/** What was published of a bot. */
export function Versions({
  bot,
  mayWrite,
  restored,
}: {
  readonly bot: Bot;
  readonly mayWrite: boolean;
  readonly restored: () => void;
}) {
  const { members } = useBootstrap();
  const { data } = useQuery(versionsQuery(bot.id));
  const [restoring, setRestoring] = useState<Version | null>(null);
  const [comparing, setComparing] = useState<Version | null>(null);
  const publisher = (actor: string): string => {
    const member = members.find(({ id }) => actor === `${MEMBER}${id}`);
    if (member) return member.name;
    return t(actor.startsWith(MEMBER) ? "bots.by.member" : "bots.by.program");
  };
  if (!data) return null;
  if (data.items.length === 0)
    return <EmptyState title={t("bots.versions.none")} text={t("bots.versions.none.text")} />;
  return (
    <>
      <DataTable
        name={t("bots.tab.versions")}
        rows={data.items}
        id={({ number }) => String(number)}
        columns={[
          {
            key: "number",
            name: t("bots.version.number"),
            cell: ({ number }) => count(number),
          },
          {
            key: "by",
            name: t("bots.version.by"),
            cell: ({ publishedBy }) => <bdi>{publisher(publishedBy)}</bdi>,
          },
          {
            key: "when",
            name: t("bots.version.when"),
            cell: ({ publishedAt }) => momentOf(publishedAt),
          },
          {
            key: "note",
            name: t("bots.version.note"),
            cell: ({ note }) => (note === null ? <Nothing /> : <bdi>{note}</bdi>),
          },
          {
            key: "runs",
            name: t("bots.version.runs"),
            numeric: true,
            cell: ({ runs }) => count(runs),
          },
          {
            key: "actions",
            name: t("bots.column.actions"),
            action: true,
            cell: (version) => (
              <span className="bots-buttons">
                <Button onPress={() => setComparing(version)}>{t("changes.compare")}</Button>
                {mayWrite && (
                  <Button onPress={() => setRestoring(version)}>{t("bots.restore")}</Button>
                )}
                <Button onPress={() => download(`${bot.name} ${version.number}`, version.document)}>
                  {t("bots.export")}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {comparing && (
        <CompareVersions
          of={comparing}
          versions={data.items}
          draft={bot.document}
          close={() => setComparing(null)}
        />
      )}
      {restoring && (
        <RestoreVersion
          id={bot.id}
          number={restoring.number}
          close={() => setRestoring(null)}
          done={restored}
        />
      )}
    </>
  );
}

const DRAFT = "draft";

/** What differs between two versions, or between a version and the draft. */
function CompareVersions({
  of: { number },
  versions,
  draft,
  close,
}: {
  readonly of: Version;
  readonly versions: readonly Version[];
  readonly draft: BotDocument;
  readonly close: () => void;
}) {
  const [from, setFrom] = useState(String(number));
  const [to, setTo] = useState(DRAFT);
  const options = [
    { value: DRAFT, name: t("changes.draft") },
    ...versions.map((one) => ({
      value: String(one.number),
      name: t("changes.version", { number: one.number }),
    })),
  ];
  const documentOf = (chosen: string): BotDocument =>
    versions.find((one) => String(one.number) === chosen)?.document ?? draft;
  return (
    <AskDialog wide title={t("changes.compare.number", { number })} close={close}>
      <div className="bots-pair">
        <Choice label={t("changes.from")} options={options} value={from} change={setFrom} />
        <Choice label={t("changes.to")} options={options} value={to} change={setTo} />
      </div>
      <Changes name={t("changes.list")} before={documentOf(from)} after={documentOf(to)} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("bots.close")}</Button>
      </div>
    </AskDialog>
  );
}

function RestoreVersion({
  id,
  number,
  close,
  done,
}: {
  readonly id: string;
  readonly number: number;
  readonly close: () => void;
  readonly done: () => void;
}) {
  const restore = useCall(async () => {
    await call("restoreBotVersion", { params: { id, n: String(number) } });
    await readAgain();
    done();
    close();
  });
  return (
    <ConfirmDialog
      title={t("bots.restore.number", { number })}
      verb={t("bots.restore")}
      call={restore}
      close={close}
    >
      <p>{t("bots.restore.text")}</p>
    </ConfirmDialog>
  );
}

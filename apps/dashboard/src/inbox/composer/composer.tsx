import { memo, useLayoutEffect, useRef, useState } from "react";
import { Button, Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { nameInText } from "../../kit/phone.tsx";
import { t } from "../../text/t.ts";
import { useCommand } from "../commands.ts";
import type { DeskRow, OpenedConversation } from "../contract.ts";
import { textOf, type OutboxItem, type Sending } from "../outbox/outbox-item.ts";
import { channelWord } from "../list/words.ts";
import { useThreads } from "../thread/threads.ts";
import { tellTyping } from "../thread/use-presence.ts";
import { useBootstrap, useInbox } from "../use-inbox.ts";
import { Drafts, type Draft, type Mode } from "./drafts.ts";
import { mentionsIn } from "./mentions.ts";
import { ReplyWindow, useWindowLeft } from "./reply-window.tsx";
import type { Afterwards } from "./send-options.tsx";
import { SendTemplate } from "./send-template.tsx";
import { Writing } from "./writing.tsx";
import "./composer.css";

let drafts: Drafts | undefined;

/** Where a reply or a note is written. It belongs to one conversation, and so does its draft. */
export const Composer = memo(function Composer({
  id,
  row,
  opened,
  edited,
}: {
  id: string;
  row: DeskRow;
  opened: Omit<OpenedConversation, "thread">;
  /** A message that was not sent, to be written anew. */
  edited: OutboxItem | undefined;
}) {
  const { store, work } = useInbox();
  const { members } = useBootstrap();
  const { outbox } = useThreads();
  drafts ??= new Drafts(store.memberId, (mine) => store.takeMine([mine]));
  const keeper = drafts;
  const [draft, setDraft] = useState<Draft>(() => keeper.read(id, opened.draft));
  const [taken, setTaken] = useState<OutboxItem>();
  const [focus, setFocus] = useState(0);
  // A file may arrive while the person goes on typing.
  const latest = useRef(draft);
  useLayoutEffect(() => {
    latest.current = draft;
  }, [draft]);
  const left = useWindowLeft(row);
  const closed = left === 0;

  const write = (next: Draft): void => {
    latest.current = next;
    setDraft(next);
    keeper.write(id, next);
    tellTyping(id, next.mode === "reply" && next.texts.reply !== "");
  };
  const turn = (mode: Mode, typed = ""): void => {
    write({ ...draft, mode, texts: { ...draft.texts, [mode]: draft.texts[mode] + typed } });
    setFocus((count) => count + 1);
  };
  if (edited !== undefined && edited !== taken) {
    setTaken(edited);
    const mode = edited.what.kind === "note" ? "note" : "reply";
    const media = edited.what.kind === "reply" ? (edited.what.body.media ?? []) : [];
    const next = {
      mode,
      texts: { ...draft.texts, [mode]: textOf(edited) },
      files: [...draft.files, ...media.map((file) => ({ id: file, name: t("thread.file") }))],
    } as const;
    setDraft(next);
    keeper.write(id, next);
  }
  useCommand("reply", (typed) => turn("reply", typed));
  useCommand("note", (typed) => turn("note", typed));

  const [choosing, setChoosing] = useState(false);
  const choose = opened.rules.templates ? () => setChoosing(true) : undefined;
  useCommand("template", () => choose?.());

  const send = (text: string, afterwards?: Afterwards): void => {
    const media = draft.files.map((file) => file.id);
    const what: Sending =
      draft.mode === "note"
        ? { kind: "note", body: { text, ...mentionsIn(text, members) } }
        : {
            kind: "reply",
            body: {
              ...(text !== "" && { text }),
              ...(media.length > 0 && { media }),
              ...(afterwards && { afterwards }),
            },
          };
    void outbox.add(id, what);
    // Who answers has read what is answered.
    if (what.kind === "reply" && store.unread(id) > 0) void work.markSeen(id, row.inboundCount);
    write({
      ...draft,
      texts: { ...draft.texts, [draft.mode]: "" },
      files: draft.mode === "reply" ? [] : draft.files,
    });
  };
  return (
    <form
      className="composer"
      aria-label={t("composer.form")}
      onSubmit={(event) => event.preventDefault()}
    >
      <Tabs
        selectedKey={draft.mode}
        onSelectionChange={(key) => turn(key === "note" ? "note" : "reply")}
        keyboardActivation="manual"
      >
        <div className="composer-top">
          <TabList className="composer-tabs" aria-label={t("composer.form")}>
            <Tab id="reply" className="composer-tab">
              {t("composer.reply")}
            </Tab>
            <Tab id="note" className="composer-tab">
              {t("composer.note")}
            </Tab>
          </TabList>
          {left !== null && <ReplyWindow left={left} />}
        </div>
        <TabPanel id="reply" className="composer-panel">
          {closed ? (
            <Closed row={row} onChoose={choose} />
          ) : (
            <Writing
              key="reply"
              mode="reply"
              row={row}
              text={draft.texts.reply}
              focus={focus}
              maxText={opened.rules.maxText}
              files={draft.files}
              onFiles={
                opened.rules.files ? (files) => write({ ...latest.current, files }) : undefined
              }
              onTemplate={choose}
              onText={(reply) => write({ ...draft, texts: { ...draft.texts, reply } })}
              onSend={send}
            />
          )}
        </TabPanel>
        <TabPanel id="note" className="composer-panel composer-panel-note">
          <Writing
            key="note"
            mode="note"
            row={row}
            text={draft.texts.note}
            focus={focus}
            maxText={4096}
            files={[]}
            onFiles={undefined}
            onTemplate={undefined}
            onText={(note) => write({ ...draft, texts: { ...draft.texts, note } })}
            onSend={send}
          />
        </TabPanel>
      </Tabs>
      {choosing && (
        <SendTemplate
          row={row}
          close={() => setChoosing(false)}
          onSend={(what) => void outbox.add(id, what)}
        />
      )}
    </form>
  );
});

/** The window is closed: no text can be written. */
function Closed({ row, onChoose }: { row: DeskRow; onChoose: (() => void) | undefined }) {
  const name = nameInText(row.name);
  if (onChoose === undefined)
    return <p className="composer-closed">{t("composer.closedNoTemplate", { name })}</p>;
  return (
    <>
      <p className="composer-closed">
        {t("composer.closed", { name, channel: channelWord(row.channelType) })}
      </p>
      <p className="composer-closed-actions">
        <Button className="composer-primary" onPress={onChoose}>
          {t("composer.chooseTemplate")}
        </Button>
      </p>
    </>
  );
}

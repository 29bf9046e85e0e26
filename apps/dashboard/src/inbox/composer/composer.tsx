import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { t } from "../../text/t.ts";
import { useCommand } from "../commands.ts";
import type { Bootstrap, DeskRow, OpenedConversation } from "../contract.ts";
import { textOf, type OutboxItem, type Sending } from "../outbox/outbox-item.ts";
import { channelWord } from "../list/words.ts";
import { useThreads } from "../thread/threads.ts";
import { tellTyping } from "../thread/use-presence.ts";
import { useBootstrap, useInbox } from "../use-inbox.ts";
import { Drafts, type Draft, type Mode } from "./drafts.ts";
import { ReplyWindow, useWindowLeft } from "./reply-window.tsx";
import { Writing } from "./writing.tsx";
import "./composer.css";

type Afterwards = Extract<Sending, { kind: "reply" }>["body"]["afterwards"];

let drafts: Drafts | undefined;

/** Where a reply or a note is written. It belongs to one conversation, and so does its draft. */
export function Composer({
  id,
  row,
  opened,
  edited,
}: {
  id: string;
  row: DeskRow;
  opened: Omit<OpenedConversation, "thread">;
  /** A message that did not leave and is to be written anew. */
  edited: OutboxItem | undefined;
}) {
  const { store } = useInbox();
  const { members } = useBootstrap();
  const { outbox } = useThreads();
  drafts ??= new Drafts(store.memberId, (mine) => store.takeMine([mine]));
  const keeper = drafts;
  const [draft, setDraft] = useState<Draft>(() => keeper.read(id, opened.draft));
  const [taken, setTaken] = useState<OutboxItem>();
  const [focus, setFocus] = useState(0);
  const left = useWindowLeft(row);
  const closed = left === 0;

  const write = (next: Draft): void => {
    setDraft(next);
    keeper.write(id, next);
    tellTyping(id, next.mode === "reply" && next.texts.reply !== "");
  };
  const turn = (mode: Mode): void => {
    write({ ...draft, mode });
    setFocus((count) => count + 1);
  };
  if (edited !== undefined && edited !== taken) {
    setTaken(edited);
    const mode = edited.what.kind === "note" ? "note" : "reply";
    const next = { mode, texts: { ...draft.texts, [mode]: textOf(edited) } } as const;
    setDraft(next);
    keeper.write(id, next);
  }
  useCommand("reply", () => turn("reply"));
  useCommand("note", () => turn("note"));

  const send = (text: string, afterwards?: Afterwards): void => {
    const what: Sending =
      draft.mode === "note"
        ? { kind: "note", body: { text, ...mentionsIn(text, members) } }
        : { kind: "reply", body: { text, ...(afterwards && { afterwards }) } };
    void outbox.add(id, what);
    write({ ...draft, texts: { ...draft.texts, [draft.mode]: "" } });
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
            <Closed row={row} templates={opened.rules.templates} />
          ) : (
            <Writing
              key="reply"
              mode="reply"
              row={row}
              text={draft.texts.reply}
              focus={focus}
              maxText={opened.rules.maxText}
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
            onText={(note) => write({ ...draft, texts: { ...draft.texts, note } })}
            onSend={send}
          />
        </TabPanel>
      </Tabs>
    </form>
  );
}

/** Members whose names stand in a note after an @. */
function mentionsIn(text: string, members: Bootstrap["members"]): { mentions?: string[] } {
  const mentions = members
    .filter(({ name, disabled }) => !disabled && text.includes(`@${name}`))
    .map(({ id }) => id)
    .slice(0, 20);
  return mentions.length > 0 ? { mentions } : {};
}

/** The window is closed: no text can be written. */
function Closed({ row, templates }: { row: DeskRow; templates: boolean }) {
  return (
    <p className="composer-closed">
      {templates
        ? t("composer.closed", { name: row.name, channel: channelWord(row.channelType) })
        : t("composer.closedNoTemplate", { name: row.name })}
    </p>
  );
}

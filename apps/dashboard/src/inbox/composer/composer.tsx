import { memo, useEffect, useId, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { Button } from "react-aria-components";
import { call } from "../../api/call.ts";
import { nameInText } from "../../kit/phone.tsx";
import { t } from "../../text/t.ts";
import { useCommand } from "../../desk/commands.ts";
import type { DeskRow, OpenedConversation } from "../../api/shapes.ts";
import {
  fileFaultsOf,
  filesOf,
  quoteOf,
  textOf,
  type OutboxItem,
  type Sending,
} from "../outbox/outbox-item.ts";
import { channelWord } from "../../kit/words.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useThreads } from "../thread/threads.ts";
import { tellTyping } from "../thread/use-presence.ts";
import { useBootstrap, useInbox } from "../../desk/use-inbox.ts";
import { changedFiles, Drafts, type Draft, type Mode, type Quote } from "./drafts.ts";
import { fileFaultWords } from "../../kit/file-faults.ts";
import { filePlace, type FilePlace } from "../../kit/file-rules.ts";
import { mentionsIn } from "./mentions.ts";
import { ModePanel, ModeTabs } from "./mode-tabs.tsx";
import { ReplyWindow, useWindowLeft } from "./reply-window.tsx";
import type { Afterwards } from "./send-options.tsx";
import { SendTemplate } from "./send-template.tsx";
import { SuggestedReply, useSuggestion } from "./suggested-reply.tsx";
import { useAssist } from "./use-assist.ts";
import { Writing } from "./writing.tsx";
import "./composer.css";

let drafts: Drafts | undefined;
const NONE: readonly never[] = [];

interface ComposerProps {
  readonly id: string;
  readonly row: DeskRow;
  readonly opened: Omit<OpenedConversation, "thread">;
  /** A message that was not sent, to be written anew. */
  readonly edited: OutboxItem | undefined;
  /** A message that the reply is to quote; each press gives another object. */
  readonly quoted: Quote | undefined;
}

/** Where a reply or a note is written. It belongs to one conversation, and so does its draft. */
export const Composer = memo(function Composer({ id, row, opened, edited, quoted }: ComposerProps) {
  const { outbox } = useThreads();
  const { draft, latest, write, type, turn, focus } = useDraft(row, opened, edited, quoted);
  const left = useWindowLeft(row);
  const closed = left === 0;
  const place = filePlace(row, opened.rules);
  const tabs = useId();

  useCommand("reply", (typed) => turn("reply", typed));
  useCommand("note", (typed) => turn("note", typed));

  const [choosing, setChoosing] = useState(false);
  const choose = opened.rules.templates ? () => setChoosing(true) : undefined;
  useCommand("template", () => choose?.());

  const send = useSend(row, opened, latest, write);
  const suggested = useSuggested(row, draft, latest, write);
  const assist = useAssist(row, latest, write);
  const [writes, setWrites] = useState(false);
  return (
    <form
      className="composer"
      data-writes={writes || undefined}
      onFocus={({ target }) => target instanceof HTMLTextAreaElement && setWrites(true)}
      onBlur={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget) || setWrites(false)
      }
      aria-label={t("composer.form")}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="composer-top">
        <ModeTabs id={tabs} mode={draft.mode} turn={turn} />
        {left !== null && <ReplyWindow left={left} />}
      </div>
      {draft.mode === "note" ? (
        <ModePanel id={tabs} mode="note">
          <Writing
            key="note"
            mode="note"
            row={row}
            text={draft.texts.note}
            focus={focus}
            maxText={4096}
            files={NONE}
            refused={NONE}
            place={undefined}
            assist={assist}
            onFiles={() => undefined}
            onTemplate={undefined}
            onText={(note) => type("note", note)}
            onSend={send}
          />
        </ModePanel>
      ) : (
        <ModePanel id={tabs} mode="reply" isStop={closed && choose === undefined}>
          {closed ? (
            <Closed row={row} suggested={suggested} onChoose={choose} />
          ) : (
            <>
              <QuoteChip quote={draft.quote} drop={() => turn("reply", "", null)} />
              <Writing
                key="reply"
                mode="reply"
                row={row}
                text={draft.texts.reply}
                focus={focus}
                maxText={opened.rules.maxText}
                files={draft.files}
                refused={draft.refused}
                place={opened.rules.files.length > 0 ? place : undefined}
                onFiles={(change) => write(changedFiles(latest.current, change))}
                onTemplate={choose}
                suggested={suggested}
                assist={assist}
                onText={(reply) => type("reply", reply)}
                onSend={send}
              />
            </>
          )}
        </ModePanel>
      )}
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

/** The suggested reply that is shown; undefined: there is none, or the person has written something. */
function useSuggested(
  row: DeskRow,
  draft: Draft,
  latest: RefObject<Draft>,
  write: (next: Draft) => void,
) {
  const { outbox, store } = useThreads();
  const suggestion = useSuggestion(row.id);
  const isEmpty = draft.texts.reply === "" && draft.files.length === 0;
  if (suggestion === undefined || draft.mode !== "reply" || !isEmpty) return undefined;
  const { id: suggestionId, text: preview } = suggestion;
  const forget = (): void => store.forgetSuggestion(row.id, suggestionId);
  return {
    suggestion,
    take: () =>
      write({
        ...latest.current,
        texts: { ...latest.current.texts, reply: preview },
        suggestionId,
      }),
    send:
      suggestion.templateId === null
        ? undefined
        : () => {
            forget();
            const what = { kind: "suggested", suggestionId, preview, files: [], body: {} } as const;
            void outbox.add(row.id, what);
          },
    discard: () => {
      forget();
      // A failed discard shows it again with the next change.
      void call("discardSuggestion", { params: { id: suggestionId } }).catch(() => undefined);
    },
  };
}

/** Sends the draft. Its text and files are then empty again. */
function useSend(
  row: DeskRow,
  { rules }: Pick<OpenedConversation, "rules">,
  latest: RefObject<Draft>,
  write: (next: Draft) => void,
) {
  const { store, work } = useInbox();
  const { members } = useBootstrap();
  const { outbox, store: threads } = useThreads();
  return (text: string, afterwards?: Afterwards): void => {
    const draft = latest.current;
    const what = sendingOf(draft, text, { members, afterwards, quotes: rules.quotes });
    void outbox.add(row.id, what);
    // Who answers has read what is answered.
    if (what.kind !== "note" && store.unread(row.id) > 0)
      void work.markSeen(row.id, row.inboundCount);
    const texts = { ...draft.texts, [draft.mode]: "" };
    write(
      draft.mode === "note"
        ? { ...draft, texts }
        : {
            ...draft,
            texts,
            files: NONE,
            refused: NONE,
            suggestionId: undefined,
            quote: undefined,
          },
    );
    if (what.kind === "suggested") threads.forgetSuggestion(row.id, what.suggestionId);
  };
}

/** The window is closed: no text can be written. A template can be sent, and so can one that a program proposes. */
function Closed({
  row,
  suggested,
  onChoose,
}: {
  readonly row: DeskRow;
  readonly suggested: ReturnType<typeof useSuggested>;
  /** Undefined: the channel has no templates. */
  readonly onChoose: (() => void) | undefined;
}) {
  const name = nameInText(row.name);
  const proposed = suggested && (
    <SuggestedReply
      suggestion={suggested.suggestion}
      onUse={undefined}
      onEdit={undefined}
      onSend={suggested.send}
      onDiscard={suggested.discard}
    />
  );
  if (onChoose === undefined)
    return (
      <>
        {proposed}
        <p className="composer-closed">{t("composer.closedNoTemplate", { name })}</p>
      </>
    );
  return (
    <>
      {proposed}
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

/**
 * The draft of a conversation. `edited` is put into it once, when it comes. `latest` is the draft as it is now: what
 * changes it begins with that, because a file may have arrived since the page was drawn; `focus` rises when the text must
 * get the focus.
 */
function useDraft(
  row: DeskRow,
  { draft: stored, rules }: Pick<OpenedConversation, "draft" | "rules">,
  edited: OutboxItem | undefined,
  quoted: Quote | undefined,
) {
  const { id } = row;
  const { store } = useInbox();
  drafts ??= new Drafts(store.memberId, (mine) => store.takeMine([mine]));
  const keeper = drafts;
  const [draft, setDraft] = useState<Draft>(() => keeper.read(id, stored));
  const [taken, setTaken] = useState<OutboxItem>();
  const [takenQuote, setTakenQuote] = useState<Quote>();
  const [focus, setFocus] = useState(0);
  const latest = useRef(draft);
  useLayoutEffect(() => {
    latest.current = draft;
  }, [draft]);

  useEffect(() => keeper.follow(id, setDraft), [keeper, id]);

  const write = (next: Draft): void => {
    latest.current = next;
    setDraft(next);
    keeper.write(id, next);
    tellTyping(id, next.mode === "reply" && next.texts.reply !== "");
  };
  /** Puts in what the person wrote. Whoever empties the reply begins again. */
  const type = (mode: Mode, text: string): void => {
    const now = latest.current;
    const isEmptied = mode === "reply" && text === "";
    const suggestionId = isEmptied ? undefined : now.suggestionId;
    write({ ...now, texts: { ...now.texts, [mode]: text }, suggestionId });
  };
  /** `quote` null drops the quote. */
  const turn = (mode: Mode, typed = "", quote?: Quote | null): void => {
    const now = latest.current;
    const texts = { ...now.texts, [mode]: now.texts[mode] + typed };
    write({ ...now, mode, texts, quote: (quote === undefined ? now.quote : quote) ?? undefined });
    setFocus((count) => count + 1);
  };
  if (edited !== undefined && edited !== taken) {
    setTaken(edited);
    const mode = edited.what.kind === "note" ? "note" : "reply";
    const { files, refused } = filesAfter(edited, filePlace(row, rules));
    const next = {
      mode,
      texts: { ...draft.texts, [mode]: textOf(edited) },
      files: [...draft.files, ...files],
      refused: [...draft.refused, ...refused],
      quote: quoteOf(edited) ?? draft.quote,
    } as const;
    setDraft(next);
    keeper.write(id, next);
  }
  if (quoted !== undefined && quoted !== takenQuote) {
    setTakenQuote(quoted);
    const next = { ...draft, mode: "reply", quote: quoted } as const;
    setDraft(next);
    setFocus((count) => count + 1);
    keeper.write(id, next);
  }
  return { draft, latest, write, type, turn, focus };
}

/** Over the text: the message that the reply quotes. */
function QuoteChip({
  quote,
  drop,
}: {
  readonly quote: Quote | undefined;
  readonly drop: () => void;
}) {
  if (quote === undefined) return null;
  const { by, words } = quote;
  return (
    <div className="composer-quote" role="group" aria-label={t("composer.quote", { name: by })}>
      <Glyph name="reply" turn />
      <span className="composer-quote-of">
        <bdi>{by}</bdi>
        <span dir="auto">{words}</span>
      </span>
      <Button className="file-remove" aria-label={t("composer.dropQuote")} onPress={drop}>
        <Glyph name="x" />
      </Button>
    </div>
  );
}

/** The files of a message that was not sent: those that can go, and those that the server refused, with its reason. */
function filesAfter(item: OutboxItem, place: FilePlace): Pick<Draft, "files" | "refused"> {
  const reasons = new Map(fileFaultsOf(item).map((fault) => [fault.file.id, fault]));
  const all = filesOf(item).map(({ id, name }) => ({ id, name: name || t("thread.file") }));
  return {
    files: all.filter(({ id }) => !reasons.has(id)),
    refused: all.flatMap((file) => {
      const fault = reasons.get(file.id);
      return fault ? [{ ...file, reason: fileFaultWords(fault.detail, file.name, place) }] : [];
    }),
  };
}

/** The draft as the note or the reply that is sent. */
function sendingOf(
  { mode, files, suggestionId, quote: chosen }: Draft,
  text: string,
  {
    members,
    afterwards,
    quotes,
  }: {
    readonly members: Parameters<typeof mentionsIn>[1];
    readonly afterwards: Afterwards | undefined;
    readonly quotes: OpenedConversation["rules"]["quotes"];
  },
): Sending {
  if (mode === "note") return { kind: "note", body: { text, ...mentionsIn(text, members) } };
  const media = files.map((file) => file.id);
  const quote = quotes === "all" || (quotes === "texts" && text !== "") ? chosen : undefined;
  const body = {
    ...(quote && { replyTo: quote.id }),
    ...(text !== "" && { text }),
    ...(media.length > 0 && { media }),
    ...(afterwards && { afterwards }),
  };
  if (suggestionId !== undefined && text !== "")
    return { kind: "suggested", suggestionId, files, quote, preview: text, body };
  return { kind: "reply", files, quote, body };
}

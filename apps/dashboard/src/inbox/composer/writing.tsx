import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { Button, FileTrigger } from "react-aria-components";
import { isApple } from "../../kit/keyboard.ts";
import { nameInText } from "../../kit/phone.tsx";
import { t } from "../../text/t.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useBootstrap } from "../../desk/use-inbox.ts";
import type { FileChange, Mode } from "./drafts.ts";
import { EmojiButton } from "./emoji-button.tsx";
import type { FilePlace } from "../../kit/file-rules.ts";
import { FileList, useUploads } from "./files.tsx";
import { useOtherReply } from "./other-reply.ts";
import { SendOptions, type Afterwards } from "./send-options.tsx";
import { shortName } from "./short-name.ts";
import { SuggestionList, useSuggestions, type Suggestion } from "./suggestions.tsx";
import { isTabIntoEmpty, SuggestedReply } from "./suggested-reply.tsx";
import type { Suggestion as SuggestedText } from "../thread/thread-store.ts";
import type { RefusedFile, UploadedFile } from "../../api/upload.ts";
import { AiButton, AiLine } from "./ai-button.tsx";
import type { Assisting } from "./use-assist.ts";
import { useDrops } from "./use-drops.ts";
import { isUndo, keysOf } from "./writing-keys.ts";

interface SuggestedProps {
  readonly suggestion: SuggestedText;
  /** Puts it into the draft. */
  readonly take: () => void;
  /** Undefined: it has a text, which goes by the draft. */
  readonly send: (() => void) | undefined;
  readonly discard: () => void;
}

interface WritingProps {
  readonly mode: Mode;
  readonly row: DeskRow;
  readonly text: string;
  /** Rises when the text must get the focus. */
  readonly focus: number;
  readonly maxText: number;
  readonly files: readonly UploadedFile[];
  /** Files that do not go with the message. */
  readonly refused: readonly RefusedFile[];
  /** What the channel takes; undefined: the message can have no files. */
  readonly place: FilePlace | undefined;
  readonly onFiles: (change: FileChange) => void;
  /** Undefined: the channel has no templates. */
  readonly onTemplate: (() => void) | undefined;
  /** What a program proposes, while nothing is written. */
  readonly suggested?: SuggestedProps | undefined;
  /** What a model writes for it. */
  readonly assist: Assisting;
  readonly onText: (text: string) => void;
  readonly onSend: (text: string, afterwards?: Afterwards) => void;
}

/** The text, what can be inserted into it, and the button that sends it. */
export function Writing(props: WritingProps) {
  const { mode, row, text, focus, maxText, files, refused, place } = props;
  const { onFiles, onTemplate, onText, onSend, assist } = props;
  const { settings } = useBootstrap();
  const area = useRef<HTMLTextAreaElement>(null);
  const { caret, setCaret, insert, insertHere, placeAt } = useInserting(area, text, onText);
  const listing = useListed(mode, row, text, caret);
  const { listed, items, active } = listing;
  const listId = useId();
  const over = Array.from(text).length - maxText;
  const uploads = useUploads({
    count: files.length,
    place,
    onFile: (file) => onFiles({ add: file }),
    onRefused: (file) => onFiles({ refuse: file }),
  });
  const canSend = (text.trim() !== "" || files.length > 0) && over <= 0 && uploads.waiting === 0;

  useFocus(area, focus);
  useDrops(area, place && ((dropped) => void uploads.add(dropped)));
  const pick = (picked: Suggestion): void => {
    insert(picked.insert, caret - (listed?.word.length ?? 0), caret);
    listing.begin();
    if (picked.filesOf && place) void uploads.addSaved(picked.filesOf);
  };
  const { send, other, anyway } = useSending({
    row,
    asks: mode === "reply" && text !== "",
    canSend,
    onSend: (after) => {
      onSend(text.trim(), after);
      area.current?.focus();
    },
  });
  const { suggested } = props;
  const take = takerOf(suggested, placeAt);
  const use = take && suggested && (() => take(suggested.suggestion.text.length));
  const onKeyDown = useKeys(listing, {
    pick,
    leave: () => area.current?.blur(),
    send: () => send(),
    resolve: () => send(mode === "reply" ? { status: "resolved" } : undefined),
    undo: assist.undo,
  });
  return (
    <>
      {suggested && (
        <Proposed of={suggested} take={take} assist={assist} leave={() => area.current?.focus()} />
      )}
      {listed && <SuggestionList id={listId} suggestions={listed} active={active} onPick={pick} />}
      <TextArea
        area={area}
        mode={mode}
        row={row}
        text={text}
        list={{ id: listId, isOpen: listed !== null, active: items.length > 0 ? active : null }}
        onCaret={setCaret}
        onText={(written) => {
          listing.begin();
          listing.open();
          onText(written);
        }}
        onKeyDown={(event) => {
          if (use && settings.tabTakesSuggestion && isTabIntoEmpty(event, text)) {
            event.preventDefault();
            use();
          } else onKeyDown(event);
        }}
        takesFiles={place !== undefined}
        onFiles={(pasted) => void uploads.add(pasted)}
      />
      <FileList
        files={files}
        waiting={uploads.waiting}
        refused={refused}
        onRemove={(id) => onFiles({ remove: id })}
        onForget={(id) => onFiles({ remove: id })}
      />
      {other !== undefined && (anyway !== undefined || text !== "") && (
        <Collision of={other} send={anyway} />
      )}
      <AiLine assist={assist} />
      <div className="composer-tools">
        <Tools
          attach={place && ((chosen) => void uploads.add(chosen))}
          offerSaved={() => {
            if (listing.toggle("/")) return area.current?.focus();
            insertHere(text === "" || /\s$/.test(text.slice(0, caret)) ? "/" : " /");
          }}
          insert={insertHere}
          chooseTemplate={onTemplate}
        />
        <AiButton assist={assist} hasText={text.trim() !== ""} forCustomer={mode === "reply"} />
        <span className="composer-fill" />
        {over > 0 && <span className="composer-over">{t("composer.tooLong", { over })}</span>}
        <SendButtons mode={mode} isDisabled={!canSend} send={send} />
      </div>
    </>
  );
}

/** Gives the text the focus when `focus` rises, with the text that was typed before: the next key is for it, not for the page. */
function useFocus(area: RefObject<HTMLTextAreaElement | null>, focus: number): void {
  useLayoutEffect(() => {
    if (focus > 0) area.current?.focus();
  }, [area, focus]);
}

/** The box of the text. Files can be pasted into it. */
function TextArea({
  area,
  mode,
  row,
  text,
  list,
  onCaret,
  onText,
  onKeyDown,
  takesFiles,
  onFiles,
}: {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly mode: Mode;
  readonly row: DeskRow;
  readonly text: string;
  /** The list of suggestions, and which of them the keys choose. */
  readonly list: { readonly id: string; readonly isOpen: boolean; readonly active: number | null };
  readonly onCaret: (at: number) => void;
  readonly onText: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly takesFiles: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  return (
    <textarea
      ref={area}
      className="composer-text"
      // A text without a letter has no direction of its own: its hint, or a slash, stays where the interface begins.
      {...(/\p{L}/u.test(text) && { dir: "auto" })}
      rows={2}
      aria-label={t(mode === "note" ? "composer.note" : "composer.message")}
      aria-controls={list.isOpen ? list.id : undefined}
      aria-activedescendant={list.active === null ? undefined : `${list.id}-${list.active}`}
      aria-autocomplete="list"
      placeholder={
        mode === "note"
          ? t("composer.notePlaceholder")
          : t("composer.placeholder", { name: nameInText(shortName(row.name)) })
      }
      value={text}
      onChange={(event) => {
        onCaret(event.target.selectionStart);
        onText(event.target.value);
      }}
      onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        const { files } = event.clipboardData;
        if (!takesFiles || files.length === 0) return;
        event.preventDefault();
        onFiles([...files]);
      }}
    />
  );
}

/** Puts a proposed text into the draft, the caret at a place. Undefined: a template, which has nothing to write. */
function takerOf(
  suggested: SuggestedProps | undefined,
  placeAt: (at: number) => void,
): ((at: number) => void) | undefined {
  if (suggested === undefined || suggested.send !== undefined) return undefined;
  return (at) => {
    placeAt(at);
    suggested.take();
  };
}

/** What a program proposes, over the empty text. */
function Proposed({
  of: suggested,
  take,
  assist,
  leave,
}: {
  readonly of: SuggestedProps;
  readonly take: ((at: number) => void) | undefined;
  readonly assist: Assisting;
  /** Gives the focus to the text. */
  readonly leave: () => void;
}) {
  const { bots } = useBootstrap();
  return (
    <SuggestedReply
      suggestion={suggested.suggestion}
      onUse={take && (() => take(suggested.suggestion.text.length))}
      onEdit={take && (() => take(0))}
      onSend={suggested.send}
      onDiscard={() => {
        suggested.discard();
        leave();
      }}
      onAnother={take && bots.length > 0 && !assist.busy ? () => assist.run("suggest") : undefined}
    />
  );
}

/** Inserts texts at the caret, which the textarea reports by `setCaret`. */
function useInserting(
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  onText: (text: string) => void,
) {
  const [caret, setCaret] = useState(0);
  const placed = useRef<number | null>(null);
  // Of a draft that was there before: the browser would go on at its beginning.
  useLayoutEffect(() => area.current?.setSelectionRange(text.length, text.length), []);
  // When the page inserted a text, the caret is at its end, where the person goes on.
  useLayoutEffect(() => {
    if (placed.current === null) return;
    area.current?.setSelectionRange(placed.current, placed.current);
    setCaret(placed.current);
    placed.current = null;
  }, [text]);

  const insert = (added: string, from: number, to: number): void => {
    placed.current = from + added.length;
    onText(text.slice(0, from) + added + text.slice(to));
    area.current?.focus();
  };
  const insertHere = (added: string): void => {
    const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {};
    insert(added, selectionStart, selectionEnd);
  };
  /** Where the caret is when the text that somebody else puts in is there. */
  const placeAt = (at: number): void => {
    placed.current = at;
    area.current?.focus();
  };
  return { caret, setCaret, insert, insertHere, placeAt };
}

/**
 * Sends what is written. While somebody else answers, the first try only warns: `other` is that reply, and `anyway` then
 * sends as the try would have.
 */
function useSending({
  row,
  asks,
  canSend,
  onSend,
}: {
  readonly row: DeskRow;
  /** Whether another's reply would collide with this text. */
  readonly asks: boolean;
  readonly canSend: boolean;
  readonly onSend: (after: Afterwards | undefined) => void;
}) {
  const [warned, setWarned] = useState<{ readonly after: Afterwards | undefined }>();
  const other = useOtherReply(row.id, asks);
  const finish = (after: Afterwards | undefined): void => {
    if (!canSend) return;
    setWarned(undefined);
    onSend(after);
  };
  return {
    other,
    send: (after?: Afterwards): void => {
      if (canSend && other !== undefined) setWarned({ after });
      else finish(after);
    },
    anyway: warned && (() => finish(warned.after)),
  };
}

/** The suggestions at the caret, until the person closes them at this word. */
function useListed(mode: Mode, row: DeskRow, text: string, caret: number) {
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const offered = useSuggestions(mode, row, text, caret);
  const listed = offered !== null && offered.word !== closedAt ? offered : null;
  return {
    listed,
    items: listed?.items ?? [],
    active,
    activate: setActive,
    begin: () => setActive(0),
    open: () => setClosedAt(null),
    close: () => setClosedAt(offered?.word ?? null),
    /** Closes the list of the word at the caret, or opens it. False: no word there begins with this sign. */
    toggle: (sign: string): boolean => {
      const isThere = offered?.word.startsWith(sign) === true;
      setClosedAt(isThere && listed ? offered.word : null);
      return isThere;
    },
  };
}

/** What the keys do in the text: choose among the suggestions, leave the text, send. */
function useKeys(
  { listed, items, active, activate, close }: ReturnType<typeof useListed>,
  does: {
    readonly pick: (picked: Suggestion) => void;
    readonly leave: () => void;
    readonly send: () => void;
    readonly resolve: () => void;
    /** Takes back what a model wrote; the browser's own undo knows only what was typed. */
    readonly undo: (() => void) | undefined;
  },
): (event: KeyboardEvent<HTMLTextAreaElement>) => void {
  const { settings } = useBootstrap();
  const keys = keysOf({ listed: items.length > 0, sendKey: settings.sendKey });
  return (event) => {
    if (does.undo && isUndo(event)) {
      event.preventDefault();
      return does.undo();
    }
    const act = keys(event);
    if (act === "none") return;
    event.preventDefault();
    const picked = items[active];
    switch (act) {
      case "up":
        return activate((active + items.length - 1) % items.length);
      case "down":
        return activate((active + 1) % items.length);
      case "pick":
        return picked && does.pick(picked);
      case "close":
        return listed ? close() : does.leave();
      case "send":
        return does.send();
      case "resolve":
        return does.resolve();
    }
  };
}

/** Says that somebody else is answering. `send` sends all the same; undefined: nobody has tried to send yet. */
function Collision({
  of,
  send,
}: {
  readonly of: NonNullable<ReturnType<typeof useOtherReply>>;
  readonly send: (() => void) | undefined;
}) {
  return (
    <p role="alert" className="composer-collision">
      <span>{t("composer.collision", of)}</span>
      {send && (
        <Button className="thread-link" onPress={send}>
          {t("composer.sendAnyway")}
        </Button>
      )}
    </p>
  );
}

/** What can be put into the message beside text. */
function Tools({
  attach,
  offerSaved,
  insert,
  chooseTemplate,
}: {
  /** Undefined: the message can have no files. */
  readonly attach: ((files: readonly File[]) => void) | undefined;
  readonly offerSaved: () => void;
  readonly insert: (text: string) => void;
  /** Undefined: the channel has no templates. */
  readonly chooseTemplate: (() => void) | undefined;
}) {
  return (
    <>
      {attach && (
        <FileTrigger allowsMultiple onSelect={(list) => attach([...(list ?? [])])}>
          <Button className="thread-button composer-tool" aria-label={t("composer.attach")}>
            <Glyph name="paperclip" />
          </Button>
        </FileTrigger>
      )}
      <Button
        className="thread-button composer-tool"
        aria-label={t("composer.saved")}
        onPress={offerSaved}
      >
        <Glyph name="zap" />
      </Button>
      <EmojiButton onPick={insert} />
      {chooseTemplate && (
        <Button
          className="thread-button composer-tool"
          aria-label={t("composer.template")}
          onPress={chooseTemplate}
        >
          <Glyph name="layout-template" />
        </Button>
      )}
    </>
  );
}

function SendButtons({
  mode,
  isDisabled,
  send,
}: {
  readonly mode: Mode;
  readonly isDisabled: boolean;
  readonly send: (after?: Afterwards) => void;
}) {
  return (
    <div className="composer-send">
      <SendButton mode={mode} isDisabled={isDisabled} send={() => send()} />
      {mode === "reply" && <SendOptions isDisabled={isDisabled} onSend={send} />}
    </div>
  );
}

function SendButton({
  mode,
  isDisabled,
  send,
}: {
  readonly mode: Mode;
  readonly isDisabled: boolean;
  readonly send: () => void;
}) {
  const { settings } = useBootstrap();
  return (
    <Button
      type="button"
      className="composer-primary"
      aria-label={t(mode === "note" ? "composer.saveNote" : "composer.send")}
      isDisabled={isDisabled}
      onPress={send}
    >
      <Glyph name="send" turn />
      <span>{t(mode === "note" ? "composer.saveNote" : "composer.send")}</span>
      <kbd dir="ltr" aria-hidden="true">
        {settings.sendKey === "enter" ? "↵" : isApple ? "⌘↵" : "Ctrl ↵"}
      </kbd>
    </Button>
  );
}

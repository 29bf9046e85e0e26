import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type SyntheticEvent,
} from "react";
import { Button, FileTrigger } from "react-aria-components";
import { isApple } from "../../kit/keyboard.ts";
import { nameInText } from "../../kit/phone.tsx";
import { t } from "../../text/t.ts";
import type { DeskRow } from "../contract.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useBootstrap } from "../use-inbox.ts";
import type { Mode } from "./drafts.ts";
import { EmojiButton } from "./emoji-button.tsx";
import { FileList, useUploads } from "./files.tsx";
import { useOtherReply } from "./other-reply.ts";
import { SendOptions, type Afterwards } from "./send-options.tsx";
import { SuggestionList, useSuggestions, type Suggestion } from "./suggestions.tsx";
import type { UploadedFile } from "./upload.ts";
import { keysOf } from "./writing-keys.ts";

/** The text, what can be inserted into it, and the button that sends it. */
export function Writing({
  mode,
  row,
  text,
  focus,
  maxText,
  files,
  onFiles,
  onTemplate,
  onText,
  onSend,
}: {
  mode: Mode;
  row: DeskRow;
  text: string;
  /** Rises when the text must get the focus. */
  focus: number;
  maxText: number;
  files: readonly UploadedFile[];
  /** Undefined: the message can have no files. */
  onFiles: ((files: readonly UploadedFile[]) => void) | undefined;
  /** Undefined: the channel has no templates. */
  onTemplate: (() => void) | undefined;
  onText: (text: string) => void;
  onSend: (text: string, afterwards?: Afterwards) => void;
}) {
  const { settings } = useBootstrap();
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const [warned, setWarned] = useState<{ readonly after: Afterwards }>();
  const listId = useId();
  const placed = useRef<number | null>(null);
  const other = useOtherReply(row.id, mode === "reply" && text !== "");
  const offered = useSuggestions(mode, row, text, caret);
  const listed = offered !== null && offered.word !== closedAt ? offered : null;
  const items = listed?.items ?? [];
  const over = Array.from(text).length - maxText;
  const held = useRef(files);
  useLayoutEffect(() => {
    held.current = files;
  }, [files]);
  const uploads = useUploads(files.length, (file) => {
    held.current = [...held.current, file];
    onFiles?.(held.current);
  });
  const canSend = (text.trim() !== "" || files.length > 0) && over <= 0 && uploads.waiting === 0;

  useEffect(() => {
    if (focus > 0) area.current?.focus();
  }, [focus]);
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
  const pick = (picked: Suggestion): void => {
    insert(picked.insert, caret - (listed?.word.length ?? 0), caret);
    setActive(0);
    if (picked.filesOf && onFiles) void uploads.addSaved(picked.filesOf);
  };
  const send = (after?: Afterwards, anyway = false): void => {
    if (!canSend) return;
    if (other !== undefined && !anyway) return setWarned({ after });
    setWarned(undefined);
    onSend(text.trim(), after);
    area.current?.focus();
  };
  const keys = keysOf({ listed: items.length > 0, sendKey: settings.sendKey });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const act = keys(event);
    if (act === "none") return;
    event.preventDefault();
    const picked = items[active];
    switch (act) {
      case "up":
        return setActive((active + items.length - 1) % items.length);
      case "down":
        return setActive((active + 1) % items.length);
      case "pick":
        return picked && pick(picked);
      case "close":
        return listed ? setClosedAt(listed.word) : area.current?.blur();
      case "send":
        return send();
      case "resolve":
        return send(mode === "reply" ? { status: "resolved" } : undefined);
    }
  };
  const takeFiles = (event: SyntheticEvent, data: DataTransfer): void => {
    const dropped = [...data.files];
    if (onFiles === undefined || dropped.length === 0) return;
    event.preventDefault();
    void uploads.add(dropped);
  };
  return (
    <>
      {listed && <SuggestionList id={listId} suggestions={listed} active={active} onPick={pick} />}
      <textarea
        ref={area}
        className="composer-text"
        // An empty text has no direction of its own: its hint has the interface's.
        {...(text !== "" && { dir: "auto" })}
        rows={2}
        aria-label={t(mode === "note" ? "composer.note" : "composer.message")}
        aria-controls={listed ? listId : undefined}
        aria-activedescendant={items.length > 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        placeholder={
          mode === "note"
            ? t("composer.notePlaceholder")
            : t("composer.placeholder", { name: nameInText(row.name) })
        }
        value={text}
        onChange={(event) => {
          setCaret(event.target.selectionStart);
          setActive(0);
          setClosedAt(null);
          onText(event.target.value);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={(event) => takeFiles(event, event.clipboardData)}
        onDragOver={(event) => onFiles && event.preventDefault()}
        onDrop={(event) => takeFiles(event, event.dataTransfer)}
      />
      <FileList
        files={files}
        waiting={uploads.waiting}
        fault={uploads.fault}
        onRemove={(file) => onFiles?.(files.filter(({ id }) => id !== file))}
      />
      {other !== undefined && (warned !== undefined || text !== "") && (
        <p role="alert" className="composer-collision">
          <span>{t("composer.collision", other)}</span>
          {warned !== undefined && (
            <Button className="thread-link" onPress={() => send(warned.after, true)}>
              {t("composer.sendAnyway")}
            </Button>
          )}
        </p>
      )}
      <div className="composer-tools">
        {onFiles && (
          <FileTrigger allowsMultiple onSelect={(list) => void uploads.add([...(list ?? [])])}>
            <Button className="thread-button composer-tool" aria-label={t("composer.attach")}>
              <Glyph name="paperclip" />
            </Button>
          </FileTrigger>
        )}
        <Button
          className="thread-button composer-tool"
          aria-label={t("composer.saved")}
          onPress={() => {
            setClosedAt(null);
            insertHere(text === "" || /\s$/.test(text.slice(0, caret)) ? "/" : " /");
          }}
        >
          <Glyph name="zap" />
        </Button>
        <EmojiButton onPick={insertHere} />
        {onTemplate && (
          <Button
            className="thread-button composer-tool"
            aria-label={t("composer.template")}
            onPress={onTemplate}
          >
            <Glyph name="layout-template" />
          </Button>
        )}
        <span className="composer-fill" />
        {over > 0 && <span className="composer-over">{t("composer.tooLong", { over })}</span>}
        <div className="composer-send">
          <Button
            type="button"
            className="composer-primary"
            aria-label={t(mode === "note" ? "composer.saveNote" : "composer.send")}
            isDisabled={!canSend}
            onPress={() => send()}
          >
            <Glyph name="send" turn />
            <span>{t(mode === "note" ? "composer.saveNote" : "composer.send")}</span>
            <kbd dir="ltr" aria-hidden="true">
              {settings.sendKey === "enter" ? "↵" : isApple ? "⌘↵" : "Ctrl ↵"}
            </kbd>
          </Button>
          {mode === "reply" && <SendOptions isDisabled={!canSend} onSend={send} />}
        </div>
      </div>
    </>
  );
}

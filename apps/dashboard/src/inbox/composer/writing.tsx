import {
  lazy,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type SyntheticEvent,
} from "react";
import {
  Button,
  Dialog,
  DialogTrigger,
  FileTrigger,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  SubmenuTrigger,
} from "react-aria-components";
import { formatLocale } from "../../text/locale.ts";
import { isApple } from "../../kit/keyboard.ts";
import { t } from "../../text/t.ts";
import type { DeskRow, SavedReplyJson } from "../contract.ts";
import type { Sending } from "../outbox/outbox-item.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useThread } from "../thread/threads.ts";
import { useBootstrap, useInbox } from "../use-inbox.ts";
import type { Mode } from "./drafts.ts";
import { FileList, useUploads } from "./files.tsx";
import { filled, SavedReplyList, slashWord, useMatching } from "./saved-replies.tsx";
import type { UploadedFile } from "./upload.ts";

type Afterwards = Extract<Sending, { kind: "reply" }>["body"]["afterwards"];

const EmojiChoice = lazy(async () => ({ default: (await import("./emoji.tsx")).EmojiChoice }));

/** The text, what can be put into it, and the button that sends it. */
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
  /** Rises when the text shall take the focus. */
  focus: number;
  maxText: number;
  files: readonly UploadedFile[];
  /** Undefined: the message can carry none. */
  onFiles: ((files: readonly UploadedFile[]) => void) | undefined;
  /** Undefined: the channel has no templates. */
  onTemplate: (() => void) | undefined;
  onText: (text: string) => void;
  onSend: (text: string, afterwards?: Afterwards) => void;
}) {
  const { savedReplies, settings, member } = useBootstrap();
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const [warned, setWarned] = useState<{ readonly after: Afterwards }>();
  const listId = useId();
  const placed = useRef<number | null>(null);
  const other = useOtherReply(row.id, mode === "reply" && text !== "");
  const slash = slashWord(text, caret);
  const word = slash === closedAt ? null : slash;
  const replies = useMatching(savedReplies, word);
  const listed = word !== null && (savedReplies.length > 0 || word === "");
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
  // A text that the page put in leaves the caret at its end, where the person goes on.
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
  const pick = (reply: SavedReplyJson): void => {
    const name = row.named ? row.name : "";
    insert(filled(reply.text, name, member.name), caret - (word?.length ?? 0) - 1, caret);
    setActive(0);
  };
  const send = (after?: Afterwards, anyway = false): void => {
    if (!canSend) return;
    if (other !== undefined && !anyway) return setWarned({ after });
    setWarned(undefined);
    onSend(text.trim(), after);
    area.current?.focus();
  };
  const keys = useKeys({ listed: listed && replies.length > 0, sendKey: settings.sendKey });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const act = keys(event);
    if (act === "none") return;
    event.preventDefault();
    const picked = replies[active];
    switch (act) {
      case "up":
        return setActive((active + replies.length - 1) % replies.length);
      case "down":
        return setActive((active + 1) % replies.length);
      case "pick":
        return picked && pick(picked);
      case "close":
        return listed ? setClosedAt(word) : area.current?.blur();
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
      {listed && <SavedReplyList id={listId} replies={replies} active={active} onPick={pick} />}
      <textarea
        ref={area}
        className="composer-text"
        // An empty text has no direction of its own: the hint in it is the interface's.
        {...(text !== "" && { dir: "auto" })}
        rows={2}
        aria-label={t(mode === "note" ? "composer.note" : "composer.message")}
        aria-controls={listed ? listId : undefined}
        aria-activedescendant={listed && replies.length > 0 ? `${listId}-${active}` : undefined}
        placeholder={
          mode === "note"
            ? t("composer.notePlaceholder")
            : t("composer.placeholder", { name: row.name })
        }
        value={text}
        onChange={(event) => {
          setCaret(event.target.selectionStart);
          setActive(0);
          if (slashWord(event.target.value, event.target.selectionStart) === null)
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

/** The picker and its lists are loaded when somebody first wants them. */
function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <Button className="thread-button composer-tool" aria-label={t("composer.emoji")}>
        <Glyph name="smile" />
      </Button>
      <Popover className="thread-popover" placement="top start">
        <Dialog aria-label={t("composer.emoji")}>
          <Suspense fallback={<p className="composer-hint">{t("kit.loading")}</p>}>
            <EmojiChoice
              onPick={(emoji) => {
                setOpen(false);
                onPick(emoji);
              }}
            />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

type Act = "close" | "down" | "none" | "pick" | "resolve" | "send" | "up";

/** What a key does in the text. While an input method composes, none does anything. */
function useKeys({
  listed,
  sendKey,
}: {
  listed: boolean;
  sendKey: "enter" | "mod-enter";
}): (event: KeyboardEvent) => Act {
  return (event) => {
    // 229: Safari ends a composition before it tells of the key.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return "none";
    const mod = event.metaKey || event.ctrlKey;
    if (event.key === "Escape") return "close";
    if (listed && event.key === "ArrowUp") return "up";
    if (listed && event.key === "ArrowDown") return "down";
    if (listed && (event.key === "Tab" || event.key === "Enter") && !event.shiftKey && !mod)
      return "pick";
    if (event.key !== "Enter" || event.altKey) return "none";
    if (mod) return event.shiftKey ? "resolve" : "send";
    // On a touch screen Enter is the only way to a new line.
    if (sendKey === "mod-enter" || event.shiftKey || matchMedia("(pointer: coarse)").matches)
      return "none";
    return "send";
  };
}

function SendOptions({
  isDisabled,
  onSend,
}: {
  isDisabled: boolean;
  onSend: (after: Afterwards) => void;
}) {
  const { now } = useInbox();
  const snooze = (until: Date): void => onSend({ status: "snoozed", until: until.toISOString() });
  return (
    <MenuTrigger>
      <Button
        type="button"
        className="composer-primary composer-options"
        aria-label={t("composer.options")}
        isDisabled={isDisabled}
      >
        <Glyph name="chevron-down" />
      </Button>
      <Popover className="thread-popover" placement="top end">
        <Menu className="thread-menu" aria-label={t("composer.options")}>
          <MenuItem className="thread-option" onAction={() => onSend({ status: "resolved" })}>
            {t("composer.sendResolve")}
          </MenuItem>
          <SubmenuTrigger>
            <MenuItem className="thread-option">{t("composer.sendSnooze")}</MenuItem>
            <Popover className="thread-popover">
              <Menu className="thread-menu" aria-label={t("composer.sendSnooze")}>
                <MenuItem
                  className="thread-option"
                  onAction={() => snooze(new Date(now() + 3 * 3_600_000))}
                >
                  {t("composer.snooze.later")}
                </MenuItem>
                <MenuItem className="thread-option" onAction={() => snooze(nineIn(now(), 1))}>
                  {t("composer.snooze.tomorrow")}
                </MenuItem>
                <MenuItem
                  className="thread-option"
                  onAction={() => snooze(nineIn(now(), (8 - new Date(now()).getDay()) % 7 || 7))}
                >
                  {t("composer.snooze.monday")}
                </MenuItem>
              </Menu>
            </Popover>
          </SubmenuTrigger>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function nineIn(now: number, days: number): Date {
  const day = new Date(now);
  day.setDate(day.getDate() + days);
  day.setHours(9, 0, 0, 0);
  return day;
}

const ago = new Intl.RelativeTimeFormat(formatLocale, { style: "narrow" });

/** The reply of another member that came after this text was begun; undefined: none. */
function useOtherReply(
  id: string,
  writing: boolean,
): { readonly name: string; readonly ago: string } | undefined {
  const { member, members } = useBootstrap();
  const { now } = useInbox();
  const { entries } = useThread(id);
  const [since, setSince] = useState<number | null>(null);
  if (writing && since === null) setSince(now());
  if (!writing && since !== null) setSince(null);
  if (since === null) return undefined;
  const last = entries.findLast(
    (entry) =>
      entry.kind === "message" &&
      entry.direction === "outbound" &&
      entry.authorId !== null &&
      entry.authorId !== member.id &&
      Date.parse(entry.at) > since,
  );
  if (last?.kind !== "message") return undefined;
  const seconds = Math.round((now() - Date.parse(last.at)) / 1_000);
  const name = members.find((one) => one.id === last.authorId)?.name ?? t("thread.former");
  return {
    name,
    ago:
      seconds < 60
        ? ago.format(-seconds, "second")
        : ago.format(-Math.round(seconds / 60), "minute"),
  };
}

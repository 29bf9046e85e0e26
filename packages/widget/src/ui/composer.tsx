import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatSettings } from "../protocol.ts";
import { MOST_FILES, type Draft, type Refusal, type Uploads } from "../uploads.ts";
import { useSurface } from "./context.ts";
import { ClipIcon, CloseIcon, FileIcon, SendIcon } from "./icons.tsx";
import { Word } from "./word.tsx";

const LONGEST_TEXT = 4_096;
const REFUSED = {
  "too-large": "tooLarge",
  "wrong-type": "wrongType",
  empty: "emptyFile",
} as const;

interface Props {
  readonly open: boolean;
  /** While something must be answered first. What was written in it stays. */
  readonly hidden: boolean;
  readonly writer: string;
  readonly input: { current: HTMLTextAreaElement | null };
  readonly uploads: Uploads;
  readonly drafts: readonly Draft[];
  readonly refusals: readonly Refusal[];
  readonly settings: ChatSettings;
  readonly add: (files: readonly File[]) => void;
  readonly clearRefusals: () => void;
}

/** Where the visitor writes. Enter sends, Shift+Enter starts a line; files come by button, paste or drop. */
export function Composer(props: Props) {
  const { open, hidden, writer, input, uploads, drafts, refusals, settings, add, clearRefusals } =
    props;
  const { chat, language } = useSurface();
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState(false);
  const uploading = drafts.some((draft) => !draft.upload && !draft.failed);
  const failed = drafts.some((draft) => draft.failed);
  // In characters, as the server counts: an emoji is one.
  const tooLong = text.length > LONGEST_TEXT && Array.from(text.trim()).length > LONGEST_TEXT;
  const ready = (text.trim() !== "" || drafts.length > 0) && !failed && !tooLong;

  useFittingHeight(input, text, open);
  useEffect(() => {
    setText("");
    setWanted(false);
  }, [writer]);

  const send = () => {
    if (!ready) return;
    // Sent by itself as soon as the files are up.
    if (uploading) return setWanted(true);
    chat.send(text, uploads.take());
    setText("");
    setWanted(false);
    clearRefusals();
  };
  useEffect(() => {
    if (failed) setWanted(false);
    else if (wanted && !uploading) send();
  });

  return (
    <form
      class="composer"
      hidden={hidden}
      onSubmit={(event) => {
        event.preventDefault();
        send();
        input.current?.focus();
      }}
    >
      {drafts.length > 0 && (
        <ul class="drafts">
          {drafts.map((draft) => (
            <DraftFile key={draft.key} draft={draft} uploads={uploads} />
          ))}
        </ul>
      )}
      <div class="faults" role="alert">
        {refusals.map((refusal) => (
          <Refused refusal={refusal} most={settings.maxFileBytes} />
        ))}
        {tooLong && <p>{language.say("tooLong", { limit: language.number(LONGEST_TEXT) })}</p>}
      </div>
      <div class="line">
        <Picker
          fileTypes={settings.fileTypes}
          add={(files) => {
            add(files);
            input.current?.focus();
          }}
        />
        <textarea
          ref={input}
          class="input"
          dir="auto"
          rows={1}
          aria-label={language.say("message")}
          placeholder={language.say("placeholder")}
          enterkeyhint="send"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            chat.typing.visitor(event.currentTarget.value);
          }}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])];
            if (files.length === 0) return;
            event.preventDefault();
            add(files);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <button
          class="send"
          type="submit"
          aria-label={language.say("send")}
          aria-disabled={!ready}
          data-busy={wanted}
        >
          <SendIcon />
        </button>
      </div>
    </form>
  );
}

/** The box is as high as what is written in it. */
function useFittingHeight(input: Props["input"], text: string, open: boolean): void {
  useLayoutEffect(() => {
    const box = input.current;
    if (!box) return;
    box.style.height = "auto";
    // Nothing can be measured while the panel is closed.
    if (open) box.style.height = `${box.scrollHeight}px`;
  }, [text, open]);
}

/** The button that opens the system's choice of files. */
function Picker(props: {
  readonly fileTypes: readonly string[];
  readonly add: (files: readonly File[]) => void;
}) {
  const { language } = useSurface();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        class="plain"
        type="button"
        aria-label={language.say("attach")}
        onClick={() => picker.current?.click()}
      >
        <ClipIcon />
      </button>
      <input
        ref={picker}
        class="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        accept={props.fileTypes.join(",")}
        onChange={(event) => {
          props.add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Why a file was not taken. `most`: how large one may be, in bytes. */
function Refused({ refusal, most }: { refusal: Refusal; most: number }) {
  const { language } = useSurface();
  if (refusal.kind === "too-many") return <p>{language.count("tooMany", MOST_FILES)}</p>;
  const size = language.size(most);
  // The name may be written the other way than the sentence.
  const [before, after] = language.say(REFUSED[refusal.kind], { name: "\n", size }).split("\n");
  return (
    <p>
      {before}
      <bdi>{refusal.name}</bdi>
      {after}
    </p>
  );
}

function DraftFile({ draft, uploads }: { draft: Draft; uploads: Uploads }) {
  const { language, goOn } = useSurface();
  const { name } = draft.file;
  const bar = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    bar.current?.style.setProperty("--share", String(draft.share));
  }, [draft.share]);
  return (
    <li class="draft" data-failed={draft.failed}>
      {draft.preview ? <img src={draft.preview} alt="" /> : <FileIcon />}
      <span class="what">
        <bdi class="file">{name}</bdi>
        {draft.failed ? (
          <span class="fault" role="alert">
            {language.say("uploadFailed")}{" "}
            <Word say="tryAgain" act={() => uploads.retry(draft.key)} />
          </span>
        ) : (
          <span class="size">{language.size(draft.file.size)}</span>
        )}
      </span>
      <button
        class="plain small"
        type="button"
        aria-label={language.say("remove", { name })}
        onClick={() => (uploads.remove(draft.key), goOn.current())}
      >
        <CloseIcon />
      </button>
      {!draft.upload && !draft.failed && (
        <span
          ref={bar}
          class="progress"
          role="progressbar"
          aria-label={language.say("uploading", { name })}
          aria-valuenow={Math.round(draft.share * 100)}
        />
      )}
    </li>
  );
}

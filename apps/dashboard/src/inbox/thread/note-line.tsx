import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Button } from "react-aria-components";
import { call } from "../../api/call.ts";
import { ConfirmDialog } from "../../kit/dialog.tsx";
import { useCall } from "../../kit/use-call.ts";
import { t } from "../../text/t.ts";
import { mentionsIn } from "../composer/mentions.ts";
import type { NoteEntry } from "../../api/shapes.ts";
import { Glyph } from "./glyph.tsx";
import { noteEntry } from "./note-entry.ts";
import { SafeText } from "../../kit/safe-text.tsx";
import { memberName, type Names } from "./said.tsx";
import { textParts } from "../../kit/text-parts.ts";
import { useThreads } from "./threads.ts";
import { clockTime } from "./times.ts";

const LONGEST = 4_096;

/** A note of a member to the others. Its author may change and delete it, an admin may delete it. */
export function NoteLine({ entry, names }: { entry: NoteEntry; names: Names }) {
  const { member } = names.bootstrap;
  const [edits, setEdits] = useState(false);
  const mine = entry.authorId === member.id;
  const name = mine ? t("thread.you") : authorName(entry, names);
  const time = clockTime(entry.at);
  const mentioned = names.bootstrap.members.flatMap(({ id, name: given }) =>
    entry.mentions.includes(id) ? [{ name: given, mine: id === member.id }] : [],
  );
  const inText = textParts(entry.text, mentioned).flatMap((part) =>
    part.kind === "mention" ? [part.text.slice(1)] : [],
  );
  // Whoever has another name since then, or is gone, is not found in the text.
  const elsewhere = entry.mentions
    .map((id) => memberName(id, names))
    .filter((one) => !inText.includes(one));
  const mayDelete = mine || member.role !== "agent";
  const label = t("thread.noteBy", { name, time });
  return (
    // An article of the log, as every message is; in it a note, which is not one.
    <article className="said-note" aria-label={label}>
      <Glyph name="lock" />
      <div role="note" aria-label={label}>
        <p className="said-note-by">
          <bdi>{name}</bdi> · <bdi dir="ltr">{time}</bdi>
          {entry.editedAt !== null && !entry.deleted && ` · ${t("thread.edited")}`}
        </p>
        {edits && !entry.deleted ? (
          <EditNote entry={entry} names={names} onEnd={() => setEdits(false)} />
        ) : (
          <>
            {entry.deleted ? (
              <p>{t("thread.deletedNote")}</p>
            ) : (
              <SafeText text={entry.text} mentioned={mentioned} />
            )}
            {elsewhere.length > 0 && !entry.deleted && (
              <p className="said-note-by">
                {t("thread.mentions", { names: elsewhere.join(", ") })}
              </p>
            )}
          </>
        )}
      </div>
      {!entry.deleted && !edits && mayDelete && (
        <span className="said-note-actions">
          {mine && (
            <Button
              className="said-note-action"
              aria-label={t("thread.editNote")}
              onPress={() => setEdits(true)}
            >
              <Glyph name="pencil" />
            </Button>
          )}
          <DeleteNote entry={entry} conversationId={names.row.id} />
        </span>
      )}
    </article>
  );
}

/** The member, or the name of the program that wrote it. */
const authorName = ({ authorId, authorName: name }: NoteEntry, names: Names): string =>
  authorId === null ? (name ?? t("thread.api")) : memberName(authorId, names);

function EditNote({ entry, names, onEnd }: { entry: NoteEntry; names: Names; onEnd: () => void }) {
  const { store } = useThreads();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const [text, setText] = useState(entry.text);
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");
  const given = text.trim();
  const ready = given !== "" && Array.from(given).length <= LONGEST && state !== "busy";
  const save = async (): Promise<void> => {
    if (!ready) return;
    if (given === entry.text) return onEnd();
    setState("busy");
    const { mentions = [] } = mentionsIn(given, names.bootstrap.members);
    try {
      const note = await call("changeNote", {
        params: { id: entry.id },
        body: { text: given, mentions },
      });
      store.add(names.row.id, [noteEntry(note)]);
      onEnd();
    } catch {
      setState("failed");
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onEnd();
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void save();
  };
  return (
    <>
      <textarea
        className="said-note-text"
        aria-label={t("thread.editNote")}
        dir="auto"
        rows={2}
        value={text}
        ref={area}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {state === "failed" && (
        <p role="alert" className="said-note-fault">
          {t("thread.noteNotSaved")}
        </p>
      )}
      <p className="said-note-end">
        <Button className="thread-link" isDisabled={!ready} onPress={() => void save()}>
          {t("thread.save")}
        </Button>
        <Button className="thread-link" onPress={onEnd}>
          {t("kit.cancel")}
        </Button>
      </p>
    </>
  );
}

function DeleteNote({ entry, conversationId }: { entry: NoteEntry; conversationId: string }) {
  const { store } = useThreads();
  const [asking, setAsking] = useState(false);
  const remove = useCall(async () => {
    const note = await call("removeNote", { params: { id: entry.id } });
    store.add(conversationId, [noteEntry(note)]);
  });
  return (
    <>
      <Button
        className="said-note-action"
        aria-label={t("thread.deleteNote")}
        onPress={() => setAsking(true)}
      >
        <Glyph name="x" />
      </Button>
      {asking && (
        <ConfirmDialog
          title={t("thread.deleteNote")}
          verb={t("thread.delete")}
          call={remove}
          close={() => setAsking(false)}
        >
          <p>{t("thread.deleteNoteAsk")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

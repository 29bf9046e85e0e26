import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { bootstrapQuery, failsPage, queryClient } from "../api/query-client.ts";
import { FileList, useUploads } from "../inbox/composer/files.tsx";
import type { RefusedFile, UploadedFile } from "../api/upload.ts";
import type { SavedReplyJson } from "../api/shapes.ts";
import { ChangedMeanwhile, useVersion } from "../kit/changed-meanwhile.tsx";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput, Tick } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import "./saved.css";

const SHORTCUT = /^[\p{L}\p{N}_-]{1,40}$/u;
const PLACES = [
  ["{{contact.name}}", "saved.place.name"],
  ["{{contact.firstName}}", "saved.place.firstName"],
  ["{{agent.name}}", "saved.place.agent"],
] as const;

/** The form of one saved reply; null: a new one. */
export function EditSavedReply({
  reply,
  mayShare,
  loaded,
  close,
}: {
  readonly reply: SavedReplyJson | null;
  readonly mayShare: boolean;
  /** Takes the reply as it was read again, with which the form begins again. */
  readonly loaded: (reply: SavedReplyJson) => void;
  readonly close: () => void;
}) {
  const [title, setTitle] = useState(reply?.title ?? "");
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? "");
  const [text, setText] = useState(reply?.text ?? "");
  const [shared, setShared] = useState(mayShare);
  const attached = useReplyFiles(reply);
  const { changed, uploads } = attached;
  const form = useRef<HTMLFormElement>(null);
  const isReady =
    title.trim() !== "" && text.trim() !== "" && SHORTCUT.test(shortcut) && uploads.waiting === 0;
  const version = useVersion(reply?.etag);
  const save = useCall(async (over?: string) => {
    const media = changed && { media: changed.map(({ id }) => id) };
    const body = { title: title.trim(), shortcut, text, ...media };
    if (reply === null) await call("createSavedReply", { body: { ...body, shared } });
    else
      await version.guard(
        (ifMatch) => call("updateSavedReply", { params: { id: reply.id }, body, ifMatch }),
        over,
      );
    await queryClient.invalidateQueries(bootstrapQuery);
    close();
  });
  return (
    <AskDialog
      wide
      title={t(reply === null ? "saved.reply.new" : "saved.reply.edit")}
      close={close}
    >
      <form
        ref={form}
        className="saved-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) save.start();
        }}
      >
        <div className="saved-pair">
          <TextInput
            autoFocus
            isRequired
            label={t("saved.reply.title")}
            value={title}
            onChange={setTitle}
            maxLength={80}
          />
          <TextInput
            isRequired
            label={t("saved.reply.shortcut")}
            hint={t("saved.reply.shortcut.hint")}
            value={shortcut}
            onChange={(typed) => setShortcut(typed.replace(/^\//, ""))}
            isInvalid={shortcut !== "" && !SHORTCUT.test(shortcut)}
            maxLength={40}
          />
        </div>
        <TextInput
          isRequired
          rows={6}
          label={t("saved.reply.text")}
          value={text}
          onChange={setText}
          maxLength={4096}
        />
        <Places insert={(place) => setText(insertAt(form.current, text, place))} />
        <ReplyFiles {...attached} />
        {reply === null && mayShare && (
          <Tick label={t("saved.share")} on={shared} change={setShared} />
        )}
        <ChangedMeanwhile
          version={version}
          save={save}
          load={async () => loaded(await replyNow(reply?.id))}
        />
        <Failure
          of={version.other === null ? save.failed : null}
          {...(save.failed?.code === "CONFLICT" && { text: t("saved.reply.taken") })}
        />
        <div className="ask-buttons">
          <Button onPress={close}>{t("kit.cancel")}</Button>
          <Button type="submit" className="primary" isDisabled={!isReady} isPending={save.busy}>
            {t("kit.save")}
          </Button>
        </div>
      </form>
    </AskDialog>
  );
}

/** The text with a place where the caret of its field is, which gets the focus. */
function insertAt(form: HTMLFormElement | null, text: string, place: string): string {
  const area = form?.querySelector("textarea");
  const [from, to] = [area?.selectionStart ?? text.length, area?.selectionEnd ?? text.length];
  area?.focus();
  return text.slice(0, from) + place + text.slice(to);
}

/** A saved reply as it is by now. */
async function replyNow(id: string | undefined): Promise<SavedReplyJson> {
  const { savedReplies } = await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 });
  const now = savedReplies.find((one) => one.id === id);
  if (!now) throw new ApiError({ code: "NOT_FOUND", status: 404 });
  return now;
}

/** The files of a saved reply: as they are stored, until one is added or removed. */
function useReplyFiles(reply: SavedReplyJson | null) {
  const stored = useQuery({
    queryKey: ["saved-reply-files", reply?.id],
    queryFn: ({ signal }) => call("readSavedFiles", { params: { id: reply?.id ?? "" }, signal }),
    enabled: reply !== null && reply.media.length > 0,
    throwOnError: failsPage,
    gcTime: 0,
  });
  // Null: as they are stored.
  const [changed, change] = useState<readonly UploadedFile[] | null>(null);
  const files =
    changed ??
    (stored.data?.files ?? []).map(({ id, fileName }) => ({
      id,
      name: fileName ?? t("thread.file"),
    }));
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const uploads = useUploads({
    count: files.length,
    onFile: (file) => change((known) => [...(known ?? files), file]),
    onRefused: (file) => setRefused((known) => [...known, file]),
  });
  const forget = (id: string): void => setRefused((known) => known.filter((one) => one.id !== id));
  const loading = reply !== null && reply.media.length > 0 && !stored.data;
  return { files, changed, change, refused, forget, uploads, loading };
}

function ReplyFiles({
  files,
  change,
  refused,
  forget,
  uploads,
  loading,
}: Omit<ReturnType<typeof useReplyFiles>, "changed">) {
  return (
    <div role="group" aria-label={t("saved.reply.files")} className="saved-files">
      <span>{t("saved.reply.files")}</span>
      <FileTrigger allowsMultiple onSelect={(list) => void uploads.add([...(list ?? [])])}>
        <Button isDisabled={loading}>{t("saved.reply.files.add")}</Button>
      </FileTrigger>
      <span className="hint">{t("saved.reply.files.hint")}</span>
      <FileList
        files={files}
        waiting={uploads.waiting}
        refused={refused}
        onForget={forget}
        onRemove={(id) => change(files.filter((file) => file.id !== id))}
      />
    </div>
  );
}

/** The values that a reply can fill in by itself. */
function Places({ insert }: { readonly insert: (place: string) => void }) {
  return (
    <div role="group" aria-label={t("saved.places")} className="saved-places">
      <span>{t("saved.places")}</span>
      {PLACES.map(([place, key]) => (
        <Button key={place} onPress={() => insert(place)}>
          {t(key)}
        </Button>
      ))}
    </div>
  );
}

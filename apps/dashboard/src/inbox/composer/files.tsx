import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../../api/call.ts";
import { t } from "../../text/t.ts";
import { Glyph } from "../thread/glyph.tsx";
import { whyNotUploaded, whyRefused } from "../../kit/file-faults.ts";
import type { FilePlace } from "../../kit/file-rules.ts";
import { upload, type RefusedFile, type UploadedFile } from "../../api/upload.ts";
import "../../kit/fields.css";

/** The most files of a message. */
const MOST_FILES = 10;

/**
 * Uploads files one after the other, or has those of a saved reply copied. `onFile` receives each that the server has,
 * `onRefused` each that does not go: by the rules of the place before the upload, or by the server's answer.
 */
export function useUploads({
  count,
  place,
  onFile,
  onRefused,
}: {
  /** The files that the message has. */
  readonly count: number;
  /** Where they go; undefined: nothing is known of the channel. */
  readonly place?: FilePlace | undefined;
  readonly onFile: (file: UploadedFile) => void;
  readonly onRefused: (file: RefusedFile) => void;
}) {
  const [waiting, setWaiting] = useState(0);
  const refuse = (name: string, reason: string): void =>
    onRefused({ id: crypto.randomUUID(), name, reason });
  const take = async (file: File): Promise<void> => {
    try {
      const { id, name, ...facts } = await upload(file);
      const reason = whyRefused({ name, ...facts }, place);
      if (reason === null) onFile({ id, name });
      else refuse(name, reason);
    } catch (error) {
      refuse(file.name, whyNotUploaded(error, file.name));
    } finally {
      setWaiting((number) => number - 1);
    }
  };
  const add = async (files: readonly File[]): Promise<void> => {
    let room = MOST_FILES - count - waiting;
    const taken: File[] = [];
    for (const file of files) {
      const reason = whyRefused(file, place) ?? (room > 0 ? null : tooMany());
      if (reason !== null) refuse(file.name, reason);
      else taken.push(file);
      if (reason === null) room -= 1;
    }
    setWaiting((number) => number + taken.length);
    for (const file of taken) await take(file);
  };
  const addSaved = async (reply: {
    readonly id: string;
    readonly title: string;
  }): Promise<void> => {
    setWaiting((number) => number + 1);
    try {
      const { files } = await call("attachSavedFiles", { params: { id: reply.id } });
      const room = Math.max(0, MOST_FILES - count - waiting);
      for (const [index, { id, fileName }] of files.entries()) {
        const name = fileName ?? t("thread.file");
        if (index < room) onFile({ id, name });
        else refuse(name, tooMany());
      }
    } catch {
      refuse(reply.title, t("composer.savedFilesRefused"));
    } finally {
      setWaiting((number) => number - 1);
    }
  };
  return { add, addSaved, waiting };
}

const tooMany = (): string => t("composer.file.count", { most: MOST_FILES });

/** The files for the message, and below them those that do not go, each with its reason. */
export function FileList({
  files,
  refused,
  waiting,
  onRemove,
  onForget,
}: {
  readonly files: readonly UploadedFile[];
  readonly refused: readonly RefusedFile[];
  readonly waiting: number;
  readonly onRemove: (id: string) => void;
  readonly onForget: (id: string) => void;
}) {
  return (
    <>
      {files.length > 0 && (
        <ul className="file-list">
          {files.map((file) => (
            <FileItem key={file.id} file={file} remove={onRemove} />
          ))}
        </ul>
      )}
      {waiting > 0 && (
        <p role="status" className="composer-hint">
          {t("composer.uploading")}
        </p>
      )}
      <div role="alert">
        {refused.length > 0 && (
          <ul className="file-list file-list-refused" aria-label={t("composer.file.refused")}>
            {refused.map((file) => (
              <FileItem key={file.id} file={file} reason={file.reason} remove={onForget} />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function FileItem({
  file: { id, name },
  reason,
  remove,
}: {
  readonly file: UploadedFile;
  readonly reason?: string;
  readonly remove: (id: string) => void;
}) {
  return (
    <li>
      <Glyph name={reason === undefined ? "paperclip" : "circle-alert"} />
      <span className="file-name">
        <bdi>{name}</bdi>
        {reason !== undefined && <small>{reason}</small>}
      </span>
      <Button
        className="file-remove"
        aria-label={t("composer.removeFile", { name })}
        onPress={() => remove(id)}
      >
        <Glyph name="x" />
      </Button>
    </li>
  );
}

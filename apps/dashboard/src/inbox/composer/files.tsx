import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../../api/call.ts";
import { t } from "../../text/t.ts";
import { Glyph } from "../thread/glyph.tsx";
import { upload, type UploadedFile } from "./upload.ts";
import "../../kit/fields.css";

/** The most files of a message. */
const MOST_FILES = 10;

/** Uploads files one after the other, or has those of a saved reply copied. `onFile` hears of each that the server has. */
export function useUploads(count: number, onFile: (file: UploadedFile) => void) {
  const [waiting, setWaiting] = useState(0);
  const [fault, setFault] = useState<string | null>(null);
  const room = Math.max(0, MOST_FILES - count - waiting);
  const add = async (files: readonly File[]): Promise<void> => {
    const taken = files.slice(0, room);
    setFault(null);
    setWaiting((number) => number + taken.length);
    for (const file of taken) {
      try {
        onFile(await upload(file));
      } catch {
        setFault(t("composer.fileRefused", { name: file.name }));
      } finally {
        setWaiting((number) => number - 1);
      }
    }
  };
  const addSaved = async (reply: {
    readonly id: string;
    readonly title: string;
  }): Promise<void> => {
    setFault(null);
    setWaiting((number) => number + 1);
    try {
      const { files } = await call("attachSavedFiles", { params: { id: reply.id } });
      for (const { id, fileName } of files.slice(0, room))
        onFile({ id, name: fileName ?? t("thread.file") });
    } catch {
      setFault(t("composer.savedFilesRefused", { name: reply.title }));
    } finally {
      setWaiting((number) => number - 1);
    }
  };
  return { add, addSaved, waiting, fault };
}

/** The files for the reply. */
export function FileList({
  files,
  waiting,
  fault,
  onRemove,
}: {
  files: readonly UploadedFile[];
  waiting: number;
  fault: string | null;
  onRemove: (id: string) => void;
}) {
  return (
    <>
      {files.length > 0 && (
        <ul className="file-list">
          {files.map(({ id, name }) => (
            <li key={id}>
              <Glyph name="paperclip" />
              <bdi>{name}</bdi>
              <Button
                className="file-remove"
                aria-label={t("composer.removeFile", { name })}
                onPress={() => onRemove(id)}
              >
                <Glyph name="x" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {waiting > 0 && (
        <p role="status" className="composer-hint">
          {t("composer.uploading")}
        </p>
      )}
      {fault !== null && (
        <p role="alert" className="composer-over">
          {fault}
        </p>
      )}
    </>
  );
}

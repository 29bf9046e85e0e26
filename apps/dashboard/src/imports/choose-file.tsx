import { useState } from "react";
import { Button, DropZone, FileTrigger, Text } from "react-aria-components";
import type { ApiError } from "../api/api-error.ts";
import { Failure } from "../kit/failure.tsx";
import { count, percent, sizeOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { Progress } from "../kit/progress.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { uploadContacts, type ImportRun } from "./upload.ts";

/** Where a file is chosen or dropped, and uploaded. */
export function ChooseFile({
  maxBytes,
  done,
}: {
  readonly maxBytes: number;
  readonly done: (run: ImportRun) => void;
}) {
  const [file, setFile] = useState<File | null>(null);
  const [part, setPart] = useState(0);
  const [fault, setFault] = useState<string | null>(null);
  const size = sizeOf(maxBytes);
  const send = useCall(async (chosen: File) => {
    setFault(null);
    setFile(chosen);
    setPart(0);
    if (chosen.size > maxBytes) setFault(t("imports.tooLarge", { name: chosen.name, size }));
    else done(await uploadContacts(chosen, setPart));
  });
  const text = fault ?? (send.failed && file ? uploadFault(send.failed, file, size) : undefined);
  return (
    <>
      <DropZone
        className="import-drop"
        aria-label={t("imports.title")}
        isDisabled={send.busy}
        onDrop={({ items }) => {
          const dropped = items.find((item) => item.kind === "file");
          if (dropped?.kind === "file") void dropped.getFile().then((one) => send.start(one));
        }}
      >
        {send.busy && file ? (
          <div className="import-uploading">
            <Progress
              label={t("imports.uploading", { name: file.name })}
              done={part}
              of={1}
              text={part < 1 ? percent(part) : t("imports.reading")}
            />
          </div>
        ) : (
          <>
            <Icon name="upload" />
            <Text slot="label">{t("imports.drop")}</Text>
            <FileTrigger
              acceptedFileTypes={[".csv", ".tsv", ".txt", ".jsonl", ".xlsx", ".xls"]}
              onSelect={(files) => {
                const chosen = files?.item(0);
                if (chosen) send.start(chosen);
              }}
            >
              <Button className="primary">{t("imports.choose")}</Button>
            </FileTrigger>
            <p className="hint">{t("imports.dropHint", { size })}</p>
          </>
        )}
      </DropZone>
      {text === undefined ? (
        <Failure of={send.failed} />
      ) : (
        <p role="alert" className="failure">
          {text}
        </p>
      )}
    </>
  );
}

/** The text for a refused file: a workbook is what most people try first. */
function uploadFault(error: ApiError, file: File, size: string): string | undefined {
  const { name } = file;
  if (error.code === "BODY_TOO_LARGE") return t("imports.tooLarge", { name, size });
  if (error.code !== "VALIDATION_FAILED") return undefined;
  const [detail] = error.details;
  if (detail?.path === "file") return t("imports.workbook", { name });
  if (detail?.path === "body") return t("imports.emptyFile", { name });
  return t("imports.notRead", { name });
}

/** Lines of a file, as a list that ends. */
export function linesText(lines: readonly number[], rows: number): string {
  const listed = lines.map((line) => count(line)).join(", ");
  return rows > lines.length
    ? t("imports.linesMore", { lines: listed })
    : t("imports.lines", { count: lines.length, lines: listed });
}

import { useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import { ApiError } from "../../api/api-error.ts";
import { t } from "../../text/t.ts";
import { Glyph } from "../thread/glyph.tsx";
import { upload, type UploadedFile } from "./upload.ts";

const ACCEPTS = {
  image: ["image/jpeg", "image/png"],
  video: ["video/mp4", "video/3gpp"],
  document: undefined,
} as const;

/** One file that a template's header shows: chosen here and uploaded at once. */
export function UploadField({
  kind,
  file,
  onFile,
}: {
  kind: "image" | "video" | "document";
  file: UploadedFile | null;
  onFile: (file: UploadedFile | null) => void;
}) {
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");
  const [name, setName] = useState("");
  const take = async (chosen: File): Promise<void> => {
    setName(chosen.name);
    setState("busy");
    onFile(null);
    try {
      onFile(await upload(chosen));
      setState("ready");
    } catch (error) {
      setState("failed");
      if (!(error instanceof ApiError)) throw error;
    }
  };
  const accepts = ACCEPTS[kind];
  return (
    <div className="composer-upload" role="group" aria-label={t(`composer.header.${kind}`)}>
      <span className="composer-upload-label">{t(`composer.header.${kind}`)}</span>
      <span className="composer-upload-line">
        <FileTrigger
          {...(accepts && { acceptedFileTypes: accepts })}
          onSelect={(list) => {
            const [chosen] = [...(list ?? [])];
            if (chosen) void take(chosen);
          }}
        >
          <Button className="thread-button thread-major" isDisabled={state === "busy"}>
            <Glyph name="paperclip" />
            <span>{t(file === null ? "composer.chooseFile" : "composer.otherFile")}</span>
          </Button>
        </FileTrigger>
        {file !== null && <bdi className="composer-upload-name">{file.name}</bdi>}
        {state === "busy" && (
          <span role="status" className="composer-hint">
            {t("composer.uploading")}
          </span>
        )}
      </span>
      {state === "failed" && (
        <p role="alert" className="composer-over">
          {t("composer.fileRefused", { name })}
        </p>
      )}
    </div>
  );
}

import { useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { upload, type UploadedFile } from "../inbox/composer/upload.ts";
import { t } from "../text/t.ts";
import "./fields.css";

const ACCEPTS = {
  image: ["image/jpeg", "image/png"],
  video: ["video/mp4", "video/3gpp"],
  document: undefined,
} as const;

/** One file that a template's header shows: chosen here and uploaded at once. */
export function UploadField({
  label,
  kind,
  file,
  fault,
  onFile,
}: {
  readonly label: string;
  readonly kind: keyof typeof ACCEPTS;
  readonly file: UploadedFile | null;
  readonly fault?: string | undefined;
  readonly onFile: (file: UploadedFile | null) => void;
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
    <div className="upload-field" role="group" aria-label={label}>
      <span className="upload-label">{label}</span>
      <span className="upload-line">
        <FileTrigger
          {...(accepts && { acceptedFileTypes: accepts })}
          onSelect={(list) => {
            const [chosen] = [...(list ?? [])];
            if (chosen) void take(chosen);
          }}
        >
          <Button isPending={state === "busy"}>
            {t(file === null ? "composer.chooseFile" : "composer.otherFile")}
          </Button>
        </FileTrigger>
        {file !== null && <bdi>{file.name}</bdi>}
        {state === "busy" && <span role="status">{t("composer.uploading")}</span>}
      </span>
      {(state === "failed" || fault !== undefined) && (
        <p role="alert" className="react-aria-FieldError">
          {state === "failed" ? t("composer.fileRefused", { name }) : fault}
        </p>
      )}
    </div>
  );
}

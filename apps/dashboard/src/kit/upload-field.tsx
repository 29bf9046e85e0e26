import { useEffect, useRef, useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import { whyNotUploaded } from "./file-faults.ts";
import { upload, type UploadedFile } from "../api/upload.ts";
import { t } from "../text/t.ts";
import "./fields.css";

const ACCEPTS = {
  image: ["image/jpeg", "image/png"],
  video: ["video/mp4", "video/3gpp"],
  document: undefined,
} as const;

/**
 * One file that a template's header shows: chosen here and uploaded at once. A file that arrives when the field is no
 * longer shown is dropped: it is for another kind of header, or another template, than is chosen by then.
 */
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
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  const take = async (chosen: File): Promise<void> => {
    setBusy(true);
    setRefused(null);
    onFile(null);
    try {
      const { id, name } = await upload(chosen);
      if (isHere.current) onFile({ id, name });
    } catch (error) {
      const reason = whyNotUploaded(error, chosen.name);
      setRefused(t("composer.fileRefused", { name: chosen.name, reason }));
    } finally {
      setBusy(false);
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
          <Button isPending={busy}>
            {t(file === null ? "composer.chooseFile" : "composer.otherFile")}
          </Button>
        </FileTrigger>
        {file !== null && <bdi>{file.name}</bdi>}
        {busy && <span role="status">{t("composer.uploading")}</span>}
      </span>
      {(refused !== null || fault !== undefined) && (
        <p role="alert" className="react-aria-FieldError">
          {refused ?? fault}
        </p>
      )}
    </div>
  );
}

import { useState } from "react";
import {
  DRAFT_LIMITS,
  placesIn,
  type DraftHeader,
  type TemplateDraft,
} from "../../../server/src/channels/template-draft.ts";
import type { UploadedFile } from "../api/upload.ts";
import { Choice } from "../kit/fields.tsx";
import { UploadField } from "../kit/upload-field.tsx";
import { t } from "../text/t.ts";
import type { Change, FaultOf } from "./builder.tsx";
import { Field } from "./field.tsx";

const KINDS = ["none", "text", "image", "video", "document"] as const;

/** The part above the body: nothing, a line of text, or a file. */
export function HeaderFields({
  draft,
  change,
  faultOf,
}: {
  readonly draft: TemplateDraft;
  readonly change: Change;
  readonly faultOf: FaultOf;
}) {
  const { header, named = false } = draft;
  const sign = named ? "{{first_name}}" : "{{1}}";
  const [place] = header?.kind === "text" ? placesIn(header.text, draft) : [];
  const [file, setFile] = useState<UploadedFile | null>(null);
  const set = (next: DraftHeader | null) => change({ header: next });
  const turn = (kind: (typeof KINDS)[number]): void => {
    setFile(null);
    if (kind === "none") set(null);
    else set(kind === "text" ? { kind, text: "", example: "" } : { kind, file: "" });
  };
  return (
    <>
      <Choice
        label={t("templates.header.kind")}
        value={header?.kind ?? "none"}
        change={turn}
        options={KINDS.map((value) => ({ value, name: t(`templates.header.${value}`) }))}
      />
      {header?.kind === "text" && (
        <>
          <Field
            label={t("templates.header.line")}
            hint={t("templates.header.hint", { most: DRAFT_LIMITS.header, place: sign })}
            fault={faultOf("header")}
            value={header.text}
            change={(text) => set({ ...header, text })}
          />
          {place !== undefined && (
            <Field
              label={t("templates.example", { place: `{{${place}}}` })}
              fault={faultOf("headerExample")}
              value={header.example ?? ""}
              change={(example) => set({ ...header, example })}
            />
          )}
        </>
      )}
      {header !== undefined && header.kind !== "text" && (
        <>
          <UploadField
            key={header.kind}
            label={t("templates.header.sample")}
            kind={header.kind}
            file={file}
            fault={faultOf("header")}
            onFile={(given) => {
              setFile(given);
              set({ ...header, file: given?.id ?? "" });
            }}
          />
          <p className="hint">{t("templates.header.sampleHint")}</p>
        </>
      )}
    </>
  );
}

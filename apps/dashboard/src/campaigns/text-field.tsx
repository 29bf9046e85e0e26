import { useSuspenseQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import {
  Button,
  Dialog,
  DialogTrigger,
  Input,
  Label,
  Popover,
  Text,
  TextArea,
  TextField as Field,
} from "react-aria-components";
import { Choice, TextInput } from "../kit/fields.tsx";
import { t } from "../text/t.ts";
import { countSegments } from "./contract.ts";
import { choicesQuery } from "./queries.ts";

/** A text with placeholders for contacts' fields. */
export function TextField({
  label,
  hint,
  rows,
  value,
  change,
  sms = false,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly rows?: number;
  readonly value: string;
  readonly change: (value: string) => void;
  /** Counts the parts of an SMS. */
  readonly sms?: boolean;
}) {
  const box = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const insert = (place: string): void => {
    const { selectionStart: from, selectionEnd: to } = box.current ?? {};
    const start = from ?? value.length;
    change(value.slice(0, start) + place + value.slice(to ?? start));
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(start + place.length, start + place.length);
    });
  };
  const { segments, units } = countSegments(value);
  return (
    <div className="campaign-text">
      <Field value={value} onChange={change}>
        <Label>{label}</Label>
        {rows === undefined ? (
          <Input ref={box} dir="auto" maxLength={1_024} />
        ) : (
          <TextArea ref={box} dir="auto" rows={rows} maxLength={sms ? 1_600 : 4_096} />
        )}
        {hint !== undefined && (
          <Text slot="description" className="hint">
            {hint}
          </Text>
        )}
      </Field>
      <div className="campaign-text-foot">
        <InsertPlace insert={insert} />
        {sms && value !== "" && (
          <span className="hint">{t("campaigns.sms.count", { parts: segments, units })}</span>
        )}
      </div>
    </div>
  );
}

/** Inserts a placeholder: a field of the contact, and a text for contacts that lack it. */
function InsertPlace({ insert }: { readonly insert: (place: string) => void }) {
  const { attributes } = useSuspenseQuery(choicesQuery).data;
  const [what, setWhat] = useState("first_name");
  const [fallback, setFallback] = useState("");
  const options = [
    { value: "first_name", name: t("campaigns.place.firstName") },
    { value: "name", name: t("campaigns.place.name") },
    { value: "phone", name: t("campaigns.place.phone") },
    { value: "email", name: t("campaigns.place.email") },
    ...attributes.map((key) => ({ value: `attribute.${key}`, name: key })),
  ];
  return (
    <DialogTrigger>
      <Button className="quiet">{t("campaigns.place.insert")}</Button>
      <Popover>
        <Dialog className="campaign-place" aria-label={t("campaigns.place.insert")}>
          {({ close }) => (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                close();
                const rest = fallback.trim() === "" ? "" : `|${fallback.trim()}`;
                insert(`{{${what}${rest}}}`);
              }}
            >
              <Choice
                label={t("campaigns.place.what")}
                options={options}
                value={what}
                change={setWhat}
              />
              <TextInput
                label={t("campaigns.place.fallback")}
                hint={t("campaigns.place.fallback.hint")}
                value={fallback}
                maxLength={200}
                onChange={setFallback}
              />
              <Button type="submit" className="primary">
                {t("campaigns.place.add")}
              </Button>
            </form>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

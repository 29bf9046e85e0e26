import { useState } from "react";
import { Button } from "react-aria-components";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { attributeText } from "./contact-words.tsx";
import type { Attribute } from "./rules.ts";

/** A contact as a form has it: all texts. */
export interface Draft {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly tags: string;
  readonly notes: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The fields of a contact, for a new one and for a change. */
export function ContactFields({
  draft,
  change,
  attributes,
  faults,
}: {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly attributes: readonly Attribute[];
  /** By the names of the fields, as the server calls them. */
  readonly faults: Readonly<Record<string, string>>;
}) {
  const text = (key: "name" | "phone" | "email" | "tags" | "notes") => ({
    value: draft[key],
    onChange: (value: string) => change({ [key]: value }),
    fault: faults[key],
  });
  return (
    <>
      <TextInput {...text("name")} label={t("contacts.name")} maxLength={200} autoFocus />
      <div className="form-pair">
        <TextInput {...text("phone")} label={t("contacts.phone")} type="tel" code maxLength={40} />
        <TextInput
          {...text("email")}
          label={t("contacts.email")}
          type="email"
          code
          maxLength={320}
        />
      </div>
      <TextInput {...text("tags")} label={t("contacts.tags")} hint={t("contacts.tags.hint")} />
      <TextInput {...text("notes")} label={t("contacts.notes")} rows={3} maxLength={5_000} />
      <AttributeFields
        values={draft.attributes}
        attributes={attributes}
        change={(values) => change({ attributes: values })}
      />
    </>
  );
}

/** Defined attributes with an input for their type, and the contact's other attributes. */
function AttributeFields({
  values,
  attributes,
  change,
}: {
  readonly values: Readonly<Record<string, unknown>>;
  readonly attributes: readonly Attribute[];
  readonly change: (values: Readonly<Record<string, unknown>>) => void;
}) {
  const [key, setKey] = useState("");
  const defined = new Set(attributes.map((one) => one.key));
  const others = Object.keys(values).filter((name) => !defined.has(name));
  const put = (name: string, value: unknown): void => {
    const rest = Object.entries(values).filter(([one]) => one !== name);
    change(Object.fromEntries(value === undefined ? rest : [...rest, [name, value]]));
  };
  return (
    <fieldset className="form-attributes">
      <legend>{t("contacts.attributes")}</legend>
      {attributes.map((attribute) => (
        <AttributeInput
          key={attribute.key}
          attribute={attribute}
          value={values[attribute.key]}
          change={(value) => put(attribute.key, value)}
        />
      ))}
      {others.map((name) => (
        <div key={name} className="form-attribute field-beside">
          <TextInput
            label={name}
            value={attributeText(values[name])}
            onChange={(value) => put(name, value)}
            // Only text can be edited here; other values are changed by the API.
            isReadOnly={typeof values[name] !== "string"}
          />
          <Button
            className="quiet"
            aria-label={t("contacts.attribute.remove", { name })}
            onPress={() => put(name, undefined)}
          >
            <Icon name="x" />
          </Button>
        </div>
      ))}
      <div className="form-attribute field-beside">
        <TextInput
          label={t("contacts.attribute.add")}
          value={key}
          onChange={setKey}
          maxLength={200}
        />
        <Button
          isDisabled={key.trim() === "" || Object.hasOwn(values, key.trim())}
          onPress={() => {
            put(key.trim(), "");
            setKey("");
          }}
        >
          {t("kit.add")}
        </Button>
      </div>
    </fieldset>
  );
}

function AttributeInput({
  attribute: { label, type, choices },
  value,
  change,
}: {
  readonly attribute: Attribute;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
}) {
  const none = { value: "", name: "—" };
  const text =
    typeof value === "string"
      ? value
      : value === undefined
        ? ""
        : value === null
          ? ""
          : JSON.stringify(value);
  if (type === "choice")
    return (
      <Choice
        label={label}
        value={text}
        options={[none, ...choices.map((choice) => ({ value: choice, name: choice }))]}
        change={(next) => change(next === "" ? undefined : next)}
      />
    );
  if (type === "boolean")
    return (
      <Choice
        label={label}
        value={text}
        options={[
          none,
          { value: "true", name: t("contacts.yes") },
          { value: "false", name: t("contacts.no") },
        ]}
        change={(next) => change(next === "" ? undefined : next === "true")}
      />
    );
  const read = (next: string): unknown => {
    if (next === "") return undefined;
    const number = Number(next);
    return type === "number" &&
      next.trim() === next &&
      Number.isFinite(number) &&
      !/[.]$/.test(next)
      ? number
      : next;
  };
  return (
    <TextInput
      label={label}
      value={text}
      type={type === "date" && (text === "" || text.length === 10) ? "date" : "text"}
      inputMode={type === "number" ? "decimal" : "text"}
      code={type !== "text"}
      onChange={(next) => change(read(next))}
    />
  );
}

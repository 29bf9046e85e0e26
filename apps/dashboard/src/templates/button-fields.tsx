import { flushSync } from "react-dom";
import { Button } from "react-aria-components";
import {
  DRAFT_LIMITS,
  type DraftButton,
  type TemplateDraft,
} from "../../../server/src/channels/template-draft.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import type { Change, FaultOf } from "./builder.tsx";
import { Field } from "./field.tsx";

const NEW = {
  quick_reply: { kind: "quick_reply", text: "" },
  url: { kind: "url", text: "", url: "", example: "" },
  phone: { kind: "phone", text: "", phone: "" },
} as const satisfies Record<DraftButton["kind"], DraftButton>;

/** The buttons below the message. */
export function ButtonFields({
  draft: { buttons },
  change,
  faultOf,
}: {
  readonly draft: TemplateDraft;
  readonly change: Change;
  readonly faultOf: FaultOf;
}) {
  const set = (index: number, button: DraftButton) =>
    change({ buttons: buttons.map((one, at) => (at === index ? button : one)) });
  const count = (kind: DraftButton["kind"]) => buttons.filter((one) => one.kind === kind).length;
  const most = {
    quick_reply: DRAFT_LIMITS.buttons,
    url: DRAFT_LIMITS.urlButtons,
    phone: DRAFT_LIMITS.phoneButtons,
  };
  const fault = faultOf("buttons");
  /** Adds a button, and leads to its text. */
  const add = (kind: DraftButton["kind"], form: Element | null): void => {
    const next = placed(buttons, NEW[kind]);
    flushSync(() => change({ buttons: next }));
    const fields = form?.querySelectorAll(".template-button-fields")[next.lastIndexOf(NEW[kind])];
    fields?.querySelector("input")?.focus();
  };
  return (
    <>
      {buttons.map((button, index) => {
        const at = `buttons[${index}]`;
        return (
          <fieldset key={index} className="template-button-fields">
            <legend>{t(`templates.button.${button.kind}`)}</legend>
            <Field
              label={t("templates.button.text")}
              fault={faultOf(`${at}.text`)}
              value={button.text}
              change={(text) => set(index, { ...button, text })}
            />
            {button.kind === "url" && (
              <Field
                label={t("templates.button.address")}
                code
                hint={t("templates.button.urlHint", { place: "{{1}}" })}
                fault={faultOf(`${at}.url`)}
                value={button.url}
                change={(url) => set(index, { ...button, url })}
              />
            )}
            {button.kind === "url" && button.url.includes("{{1}}") && (
              <Field
                label={t("templates.button.example")}
                code
                fault={faultOf(`${at}.example`)}
                value={button.example ?? ""}
                change={(example) => set(index, { ...button, example })}
              />
            )}
            {button.kind === "phone" && (
              <Field
                label={t("templates.button.number")}
                code
                placeholder="+96550001234"
                fault={faultOf(`${at}.phone`)}
                value={button.phone}
                change={(phone) => set(index, { ...button, phone })}
              />
            )}
            <Button
              className="quiet"
              aria-label={t("templates.button.remove", { number: index + 1 })}
              onPress={() => change({ buttons: buttons.filter((_, other) => other !== index) })}
            >
              <Icon name="trash" />
              {t("templates.remove")}
            </Button>
          </fieldset>
        );
      })}
      {fault !== undefined && <p className="react-aria-FieldError">{fault}</p>}
      <div className="page-actions">
        {(["quick_reply", "url", "phone"] as const).map((kind) => (
          <Button
            key={kind}
            className="quiet"
            isDisabled={count(kind) >= most[kind] || buttons.length >= DRAFT_LIMITS.buttons}
            onPress={({ target }) => add(kind, target.closest("form"))}
          >
            <Icon name="plus" />
            {t(`templates.button.add.${kind}`)}
          </Button>
        ))}
      </div>
    </>
  );
}

/** Quick replies must stand together: a new one is placed after the last of them. */
function placed(buttons: readonly DraftButton[], added: DraftButton): readonly DraftButton[] {
  if (added.kind !== "quick_reply") return [...buttons, added];
  const last = buttons.findLastIndex(({ kind }) => kind === "quick_reply");
  return last < 0 ? [...buttons, added] : buttons.toSpliced(last + 1, 0, added);
}
